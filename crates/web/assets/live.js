// The page of a run that goes on: takes its feed and draws it, in the charts of reports.
//
// What was decided here:
// - A feed begins with `head`, also after a connection was lost: then everything is drawn anew.
// - All texts of a feed become text nodes, or names in a chart, which are drawn and not parsed.
// - A long run is drawn with fewer of its points: each stretch by the one with the highest latency,
//   so that no peak is lost.
(function () {
  'use strict';
  const fathom = globalThis.fathom;
  const box = document.getElementById('live');
  const words = JSON.parse(box.dataset.words);
  const chartWords = JSON.parse(box.dataset.chartWords);
  const MOST_DRAWN = 600;
  const MOST_KEPT = 40000;

  let points = [];
  const drawn = new Map();
  let waiting = false;

  // ---- charts -------------------------------------------------------------------------------------

  const axis = (name, unit) => ({ name, unit, scale: 'linear' });

  /** A chart of the report's model with a line for each `lines`: name and what it takes of a point. */
  function chart(id, name, unit, lines, shown) {
    const series = lines.map(([line, of], group) => ({
      name: line,
      shape: 'line',
      group,
      points: shown.filter((point) => of(point) != null).map((point) => ({ x: point.at_ms / 1000, y: of(point) })),
    }));
    return { id, title: name, says: '', note: '', x: axis(words.time, 'seconds'), y: [axis(name, unit)], series, bands: [], marks: [] };
  }

  /** The charts, by the ids of their boxes. @param {object[]} shown */
  const charts = (shown) => [
    chart('iops', words.iops, 'iops', [[words.iops, (p) => p.iops]], shown),
    chart('rate', words.rate, 'bytes_per_s', [[words.read, (p) => p.read_bytes_per_s], [words.write, (p) => p.write_bytes_per_s]], shown),
    chart('latency', words.latency, 'ns', [[words.median, (p) => p.p50_ns], [words.p99, (p) => p.p99_ns], [words.max, (p) => p.max_ns]], shown),
    chart('util', words.util, 'percent', [[words.util, (p) => p.util_percent]], shown),
  ];

  /** @param {object[]} all @returns {object[]} at most MOST_DRAWN of them, in their order */
  function thinned(all) {
    const step = Math.ceil(all.length / MOST_DRAWN);
    if (step <= 1) return all;
    const worse = (a, b) => ((b.max_ns || 0) > (a.max_ns || 0) ? b : a);
    const kept = [];
    for (let at = 0; at < all.length; at += step) kept.push(all.slice(at, at + step).reduce(worse));
    return kept;
  }

  function draw() {
    waiting = false;
    if (!points.length) return;
    for (const one of charts(thinned(points))) {
      const place = document.getElementById(`chart-${one.id}`);
      // What a run does not tell, as one without a device its use, has no chart.
      const told = one.series.some((line) => line.points.length);
      place.closest('figure').hidden = !told;
      if (!told) continue;
      if (drawn.has(one.id)) drawn.get(one.id).update(one);
      else drawn.set(one.id, begun(place, one));
    }
  }

  /** A chart at its place, drawn for the first time. */
  function begun(place, one) {
    place.setAttribute('aria-label', one.title);
    const chart = fathom.draw(place, one, chartWords, place.parentElement.querySelector('.legend'));
    new ResizeObserver(() => place.clientWidth && chart.instance.getWidth() !== place.clientWidth && chart.fit()).observe(place);
    return chart;
  }

  /** Draws before the next frame: not at all while nobody looks. */
  function drawSoon() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  // ---- figures --------------------------------------------------------------------------------------

  const say = (id, text) => (document.getElementById(id).textContent = text);
  const value = (unit, number) => (number == null ? '–' : fathom.numbers.value(unit, number));

  /** @param {number} seconds */
  function clock(seconds) {
    const two = (number) => String(number).padStart(2, '0');
    const hours = Math.floor(seconds / 3600);
    const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    return hours ? `${hours}:${rest}` : rest;
  }

  /** How much of the whole run is done, as the time left is of all of it. @param {object} point */
  function wholePercent(point) {
    if (point.left_s != null) return (100 * point.at_ms) / Math.max(1, point.at_ms + point.left_s * 1000);
    if (point.all) return (100 * (point.done + (point.percent || 0) / 100)) / point.all;
    return point.percent;
  }

  /** @param {object} point */
  function showNow(point) {
    say('phase', point.phase);
    say('phases', point.all == null || point.all < 2 ? '' : `${Math.min(point.done + 1, point.all)} / ${point.all}`);
    say('left', point.left_s == null ? '' : `${words.left} ${clock(point.left_s)}`);
    const bar = document.getElementById('progress');
    const percent = wholePercent(point);
    if (percent == null) bar.removeAttribute('value');
    else bar.value = percent;
    say('now-iops', value('iops', point.iops));
    say('now-read', value('bytes_per_s', point.read_bytes_per_s));
    say('now-write', value('bytes_per_s', point.write_bytes_per_s));
    say('now-p50', value('ns', point.p50_ns));
    say('now-p99', value('ns', point.p99_ns));
    say('now-util', value('percent', point.util_percent));
  }

  // ---- the feed -------------------------------------------------------------------------------------

  const feed = new EventSource(`/live/${encodeURIComponent(box.dataset.id)}/feed`);

  /** @param {string} state connecting, connected, lost or over @param {string} text */
  function stand(state, text) {
    box.dataset.state = state;
    say('state', text);
  }

  /** @param {string} text */
  function over(text) {
    feed.close();
    stand('over', text);
    say('left', '');
    document.getElementById('report').hidden = false;
  }

  feed.addEventListener('head', () => {
    points = [];
    stand('connected', words.connected);
  });
  feed.addEventListener('points', (event) => {
    points = points.concat(JSON.parse(event.data)).slice(-MOST_KEPT);
    box.dataset.points = points.length;
    showNow(points[points.length - 1]);
    drawSoon();
  });
  feed.addEventListener('end', () => {
    document.getElementById('progress').value = 100;
    over(words.ended);
  });
  feed.addEventListener('killed', () => over(words.killed));
  feed.addEventListener('fault', (event) => over(`${words.feed_fault} ${JSON.parse(event.data)}`));
  feed.addEventListener('error', () => box.dataset.state !== 'over' && stand('lost', words.lost));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawSoon);
})();
