// What stands on the axes of a chart, as series of ECharts: lines, dots, bars, cells; whiskers and
// promises over them, marks and bands behind them. Pure, as charts.js, which they are for. Classic
// script; fills `fathom.shapes`.
//
// All of it takes the `frame` of a chart, which charts.js makes.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const numbers = fathom.numbers;
  const { FONT, extent, textWidth } = fathom.axes;

  const MAX_SYMBOLS = 60;
  const MAX_LABELLED_BARS = 14;
  const MAX_LABELLED_CELLS = 150;

  const isBar = (series) => ['bar', 'stacked', 'bullet'].includes(series.shape);
  const isHeat = (series) => series.shape === 'heat';

  /** A subtle pattern over bars that share a colour. @param {number} turn @param {object} theme */
  function pattern(turn, theme) {
    if (!turn) return undefined;
    const angles = [0, -Math.PI / 4, Math.PI / 4, 0];
    return { symbol: 'rect', color: theme.paper, dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: angles[turn % angles.length] };
  }

  /** Values of a point as ECharts takes them: place, height, then what the tip shows. */
  function datum(frame, series, point) {
    const height = (frame.heights[series.axis || 0] || frame.heights[0]).place(point.y);
    return [...frame.pair(frame.x.place(point.x), height), point.low ?? null, point.high ?? null, point.x, point.y];
  }

  /** What all kinds of series share. @param {object} frame @param {object} series @param {number} i */
  function base(frame, series, i) {
    const axis = frame.chart.y[series.axis || 0] ? series.axis || 0 : 0;
    const { colour } = frame.styles[i];
    return {
      id: 's' + i, name: series.name, data: series.points.map((point) => datum(frame, series, point)),
      ...(frame.flip ? {} : { yAxisIndex: axis }), itemStyle: { color: colour }, cursor: 'default', z: 3,
    };
  }

  /** @param {object} frame @param {object} series @param {number} i */
  function lineSeries(frame, series, i) {
    const { colour, dash, symbol } = frame.styles[i];
    const few = series.points.length <= MAX_SYMBOLS;
    return {
      ...base(frame, series, i), type: 'line', step: series.shape === 'step' ? 'end' : false, symbol, symbolSize: few ? 7 : 5,
      showSymbol: few, showAllSymbol: few, sampling: series.points.length > 2000 ? 'lttb' : undefined,
      lineStyle: { color: colour, width: few ? 2.25 : 1.75, type: dash }, emphasis: { focus: 'none', lineStyle: { width: 3 } },
    };
  }

  /** @param {object} frame @param {object} series @param {number} i */
  function dotSeries(frame, series, i) {
    return { ...base(frame, series, i), type: 'scatter', symbol: frame.styles[i].symbol, symbolSize: 9 };
  }

  /** @param {object} frame @param {object} series @param {number} i */
  function barSeries(frame, series, i) {
    const { colour, turn } = frame.styles[i];
    const stacked = series.shape === 'stacked';
    const corner = stacked ? 0 : frame.flip ? [0, 3, 3, 0] : [3, 3, 0, 0];
    return {
      ...base(frame, series, i), type: 'bar', stack: stacked ? 'stack' + (series.axis || 0) : undefined, ...barRoom(frame),
      itemStyle: { color: colour, borderRadius: corner, decal: pattern(turn, frame.theme), borderColor: stacked ? frame.theme.paper : undefined, borderWidth: stacked ? 0.5 : 0 },
      label: barLabel(frame, series), z: 2, ...(series.shape === 'bullet' ? { data: bullets(frame, series) } : {}),
    };
  }

  /** Bars beside promises: what was missed has another colour and is hatched, what cannot be told only hatched. */
  function bullets(frame, series) {
    const style = (point) => ({ color: point.tone === 'bad' ? frame.theme.bad : undefined, decal: ['bad', 'warning'].includes(point.tone) ? pattern(point.tone === 'bad' ? 1 : 2, frame.theme) : undefined });
    return series.points.map((point) => ({ value: datum(frame, series, point), itemStyle: Object.fromEntries(Object.entries(style(point)).filter(([, value]) => value)) }));
  }

  /** Whether no two bars stand at one place, so that each takes all of it. @param {object} frame */
  function oneEach(frame) {
    const bars = frame.chart.series.filter((series) => ['bar', 'bullet'].includes(series.shape));
    const taken = bars.flatMap((series) => series.points.map((point) => point.x));
    return bars.length > 1 && new Set(taken).size === taken.length;
  }

  /** Widths of bars: those of a histogram touch. @param {object} frame */
  function barRoom(frame) {
    const touching = frame.x.numeric && frame.x.labels.length > 24;
    return { barGap: oneEach(frame) ? '-100%' : '8%', barCategoryGap: touching ? '4%' : '32%', barMaxWidth: touching ? undefined : 56 };
  }

  /** Whether the chart has few enough bars to write their numbers at their ends. @param {object} frame */
  function labelled(frame) {
    return isFew(frame) && (frame.flip || numbersFit(frame));
  }

  /** @param {object} frame */
  const isFew = (frame) => frame.chart.series.filter(isBar).reduce((sum, s) => sum + s.points.length, 0) <= MAX_LABELLED_BARS;

  /** Whether the numbers of bars that stand have room beside each other. @param {object} frame */
  function numbersFit(frame) {
    if (!frame.x.labels) return true;
    const place = (frame.width - 90) / Math.max(1, frame.x.labels.length);
    const beside = oneEach(frame) ? 1 : barSlots(frame).count;
    // Bars share what is left of their place, and are 56 px wide at most, with a gap of 8 %.
    const room = beside < 2 ? place : Math.min(60, (place * 0.68) / beside);
    return Math.max(0, ...endTexts(frame).map((text) => textWidth(text, 13))) + 4 <= room;
  }

  /** Whether bars should lie because only so their numbers have room. @param {object} frame */
  const wantsRoom = (frame) => isFew(frame) && !numbersFit(frame);

  /** The sign before the number of a bar whose mean is uncertain. @param {object} point */
  const doubt = (point) => (point.tone === 'warning' ? '~' : '');

  /** What stands at a bar: its number, and where there is no room for that, its doubt. @param {object} frame @param {object} series @param {object} point */
  const barText = (frame, series, point) => doubt(point) + (labelled(frame) ? short(unitOf(frame, series), point.y) : '');

  /** Ends of a point's whisker on its axis; null where it has none, or no place there. @param {object} frame @param {object} series @param {object} point */
  function whiskerOf(frame, series, point) {
    if (!Number.isFinite(point.low) || !Number.isFinite(point.high)) return null;
    const axis = frame.heights[series.axis || 0] || frame.heights[0];
    const ends = [axis.place(point.low), axis.place(point.high)];
    return ends.every((end) => end !== null) ? ends : null;
  }

  /** The number over a bar; beside a whisker it is drawn with that. @param {object} frame @param {object} series */
  function barLabel(frame, series) {
    const show = series.shape === 'bar' && (labelled(frame) || series.points.some(doubt));
    const text = ({ dataIndex }) => (whiskerOf(frame, series, series.points[dataIndex]) ? '' : barText(frame, series, series.points[dataIndex]));
    return { show, position: frame.flip ? 'right' : 'top', fontFamily: FONT, fontSize: 12, fontWeight: 600, color: frame.theme.ink, formatter: text };
  }

  /** A text at the end of a bar. @param {object} frame @param {number[]} at pixels @param {string} text */
  function endText(frame, [x, y], text) {
    const place = frame.flip ? { x: x + 6, y, align: 'left', verticalAlign: 'middle' } : { x, y: y - 5, align: 'center', verticalAlign: 'bottom' };
    return { type: 'text', style: { ...place, text, fill: frame.theme.ink, font: '600 12px ' + FONT } };
  }

  /** Pixels up to which the half of a whisker keeps the number behind it at the bar's end. */
  const SHORT_WHISKER = 14;

  /**
   * The number of a bar with a whisker: behind a short one and between bars that stand close, else at
   * the end of the bar and aside, so that it does not stand where another value is.
   * @param {object} frame @param {number[]} end of the bar @param {number[]} tip of the whisker @param {string} text
   */
  function whiskerText(frame, end, tip, text) {
    const along = frame.flip ? 0 : 1;
    const close = !oneEach(frame) && barSlots(frame).count > 1;
    if (close || Math.abs(tip[along] - end[along]) <= SHORT_WHISKER) return endText(frame, tip, text);
    const place = { x: end[0] + 5, y: end[1] - 4, align: 'left', verticalAlign: 'bottom' };
    return { type: 'text', style: { ...place, text, fill: frame.theme.ink, font: '600 12px ' + FONT, stroke: frame.theme.paper, lineWidth: 3 } };
  }

  /** A number beside a bar: its unit is on the axis. @param {string} unit @param {number} number */
  function short(unit, number) {
    const text = numbers.value(unit, number);
    return unit === 'iops' || unit === 'bytes_per_s' ? text.replace(/ (IOPS|MB\/s)$/, '') : text;
  }

  /** Where the bars of one place stand, so that whiskers and promises find them. */
  function barSlots(frame) {
    const slots = new Map();
    frame.chart.series.forEach((series, i) => {
      if (!isBar(series) || (frame.theme.hidden || []).includes(series.name)) return;
      const key = series.shape === 'stacked' ? 'stack' + (series.axis || 0) : 's' + i;
      if (!slots.has(key)) slots.set(key, slots.size);
      slots.set('s' + i, slots.get(key));
    });
    const count = Math.max(1, new Set(slots.values()).size);
    return { at: (i) => slots.get('s' + i) || 0, count };
  }

  /** The bar of series `i` at a place: distance of its middle, and its width. */
  function barLayout(frame, api, i) {
    const slots = barSlots(frame);
    const all = api.barLayout({ ...barRoom(frame), count: slots.count });
    return all[slots.at(i)] || { offsetCenter: 0, width: 8 };
  }

  /** What whiskers and promises share: a drawing over series `i`, hidden with it. */
  function over(frame, series, i, id, rows, renderItem) {
    const [along, height] = frame.flip ? ['y', 'x'] : ['x', 'y'];
    return {
      id: id + i, name: series.name, type: 'custom', data: rows, renderItem, encode: { [along]: 0, [height]: [1, 2] }, silent: true, clip: false,
      ...(frame.flip ? {} : { yAxisIndex: frame.chart.y[series.axis || 0] ? series.axis || 0 : 0 }), itemStyle: { color: frame.styles[i].colour }, tooltip: { show: false }, z: 4,
    };
  }

  /** @param {number[][]} ends pairs of points @param {object} style */
  function strokes(ends, style) {
    const line = ([[x1, y1], [x2, y2]]) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { fill: 'none', ...style } });
    return { type: 'group', children: ends.map(line) };
  }

  /** Whiskers of a series. @param {object} frame @param {object} series @param {number} i */
  function whiskers(frame, series, i) {
    const [rows, texts] = [[], []];
    for (const point of series.points) {
      const ends = whiskerOf(frame, series, point);
      if (ends) rows.push([frame.x.place(point.x), ...ends, point.y, texts.push(series.shape === 'bar' ? barText(frame, series, point) : '') - 1]);
    }
    if (!rows.length) return [];
    const bar = isBar(series);
    const draw = (_, api) => {
      const layout = bar ? barLayout(frame, api, i) : { offsetCenter: 0, width: 14 };
      const half = Math.min(7, layout.width / 3);
      const at = (height, aside) => moved(frame, api.coord(frame.pair(api.value(0), height)), layout.offsetCenter + aside);
      const [low, high] = [api.value(1), api.value(2)];
      const ends = [[at(low, 0), at(high, 0)], [at(low, -half), at(low, half)], [at(high, -half), at(high, half)]];
      const drawn = strokes(ends, { stroke: bar ? frame.theme.ink : frame.styles[i].colour, lineWidth: 1.5 });
      const text = texts[api.value(4)];
      if (text) drawn.children.push(whiskerText(frame, at(api.value(3), 0), at(high, 0), text));
      return drawn;
    };
    return [over(frame, series, i, 'w', rows, draw)];
  }

  /** A point moved along the bottom axis. */
  const moved = (frame, [x, y], by) => (frame.flip ? [x, y + by] : [x + by, y]);

  /** How a bullet may stand to its promise: its word, after its sign. */
  const TONES = ['good', 'warning', 'bad'];
  const SIGNS = { good: ['✓', 'pass'], warning: ['?', 'undecided'], bad: ['✗', 'fail'] };

  /** @param {object} frame @param {string} tone */
  function standing(frame, tone) {
    const [sign, word] = SIGNS[tone] || [];
    // Beside a bar that lies on a narrow page there is room for the sign only.
    const room = !frame.flip || frame.width > 500;
    return sign ? ' ' + sign + (room ? ' ' + (frame.words[word] || '') : '') : '';
  }

  /** What stands at the end of a bullet: a share of a promised rate; of a limit how far it is from it. */
  function shareText(frame, unit, measured, promise, tone) {
    if (unit === 'ns') return limitText(frame, measured, promise) + standing(frame, tone);
    const share = measured / promise;
    return (share >= 2 ? timesText(share) + 'x' : numbers.value('percent', share * 100)) + standing(frame, tone);
  }

  /** Two figures are enough of a ratio. @param {number} times */
  const timesText = (times) => (times < 9.95 ? String(Math.round(times * 10) / 10) : numbers.value('plain', Math.round(times)));

  /** `limit 200 ms, 130x better`. @param {object} frame @param {number} measured @param {number} limit */
  function limitText(frame, measured, limit) {
    const { words } = frame;
    const [times, word] = measured > limit ? [measured / limit, words.times_over] : [limit / measured, words.times_better];
    const ratio = Number.isFinite(times) && times >= 1.05 ? timesText(times) + word : '';
    // A narrow page has room for one of both.
    const said = words.limit + ' ' + numbers.value('ns', limit);
    return frame.flip && frame.width <= 500 ? ratio || said : [said, ratio].filter(Boolean).join(', ');
  }

  const unitOf = (frame, series) => (frame.chart.y[series.axis || 0] || {}).unit;

  /** Pixels that texts at the ends of lying bars need. @param {object} frame */
  function endRoom(frame) {
    if (!frame.flip || !labelled(frame)) return 0;
    return Math.max(0, ...endTexts(frame).map((one) => textWidth(one, 13) + 8));
  }

  /** What may stand at the ends of all bars. @param {object} frame */
  function endTexts(frame) {
    const text = (series, point) => {
      if (series.shape === 'bullet') return Number.isFinite(point.high) ? shareText(frame, unitOf(frame, series), point.y, point.high, point.tone) : '';
      return series.shape === 'bar' ? doubt(point) + short(unitOf(frame, series), point.y) : '';
    };
    return frame.chart.series.filter(isBar).flatMap((series) => series.points.map((point) => text(series, point)));
  }

  /** Promises across bullets: a thick line at the promise, a thin one at the least that keeps it. */
  function promises(frame, series, i) {
    const rows = series.points
      .filter((point) => Number.isFinite(point.high))
      .map((point) => [frame.x.place(point.x), frame.heights[series.axis || 0].place(point.high), point.low ?? point.high, point.y, TONES.indexOf(point.tone)]);
    const draw = (_, api) => {
      const layout = barLayout(frame, api, i);
      const half = layout.width / 2 + 5;
      const at = (height, aside) => moved(frame, api.coord(frame.pair(api.value(0), height)), layout.offsetCenter + aside);
      const across = (height) => [at(height, -half), at(height, half)];
      const group = strokes([across(api.value(1))], { stroke: frame.theme.ink, lineWidth: 3 });
      const least = strokes([across(api.value(2))], { stroke: frame.theme.ink, lineWidth: 1.5, lineDash: [3, 3] });
      const [promise, measured] = [api.value(1), api.value(3)];
      const share = endText(frame, at(Math.max(promise, measured), 0), shareText(frame, unitOf(frame, series), measured, promise, TONES[api.value(4)]));
      return { type: 'group', children: [...group.children, ...(api.value(2) === promise ? [] : least.children), ...(labelled(frame) ? [share] : [])] };
    };
    return rows.length ? [over(frame, series, i, 'p', rows, draw)] : [];
  }

  /** The axis that says what cells are worth: the second one on the left. @param {object} chart */
  const worth = (chart) => chart.y[1] || { name: '', unit: 'plain', scale: 'linear' };

  /** Colour of cells over their values, even or by powers of ten. @param {object} frame */
  function cellScale(frame) {
    const values = frame.chart.series.filter(isHeat).flatMap((s) => s.points.map((p) => p.value)).concat(worth(frame.chart).ends || []).filter(Number.isFinite);
    const positive = values.filter((value) => value > 0);
    const log = worth(frame.chart).scale === 'log10';
    const [low, high] = extent(log ? positive : values);
    const to = (value) => (!Number.isFinite(value) || (log && value <= 0) ? null : log ? Math.log10(value) : value);
    const from = (at) => (log ? 10 ** at : at);
    return { to, from, min: to(low) ?? 0, max: to(high) ?? 1 };
  }

  /** @param {object} frame @param {object} series @param {number} i */
  function heatSeries(frame, series, i) {
    const scale = cellScale(frame);
    const cells = series.points.filter((point) => scale.to(point.value) !== null);
    const row = (point) => [frame.x.place(point.x), frame.heights[0].place(point.y), scale.to(point.value), point.value, point.x, point.y];
    const wide = (frame.width - 90) / Math.max(1, frame.x.labels.length) > 38;
    const high = (frame.height - 140) / Math.max(1, frame.heights[0].labels.length) > 14;
    return {
      id: 's' + i, name: series.name, type: 'heatmap', data: cells.map(row), itemStyle: { borderColor: frame.theme.paper, borderWidth: frame.x.labels.length > 40 ? 0 : 1.5, borderRadius: 2 },
      label: { show: wide && high && cells.length <= MAX_LABELLED_CELLS, fontSize: 11, fontFamily: FONT, formatter: ({ data }) => numbers.tick(worth(frame.chart).unit, Number(data[3].toPrecision(3))) },
      emphasis: { itemStyle: { borderColor: frame.theme.ink } }, cursor: 'default', progressive: 0,
    };
  }

  /** @param {object} frame */
  function visualMap(frame) {
    if (!frame.heat) return undefined;
    const scale = cellScale(frame);
    const axis = worth(frame.chart);
    const text = (at) => numbers.value(axis.unit, scale.from(at));
    return {
      type: 'continuous', show: true, min: scale.min, max: scale.max === scale.min ? scale.min + 1 : scale.max, dimension: 2, calculable: false, orient: 'horizontal', left: 'center', bottom: 4, hoverLink: false,
      itemWidth: 12, itemHeight: Math.min(220, frame.width / 3), inRange: { color: frame.theme.ramp }, text: [text(scale.max), text(scale.min)], textStyle: { color: frame.theme.muted, fontFamily: FONT },
      seriesIndex: frame.chart.series.map((series, i) => (isHeat(series) ? i : -1)).filter((i) => i >= 0),
    };
  }

  /** @param {object} frame @param {object} series @param {number} i */
  function mainSeries(frame, series, i) {
    if (isHeat(series)) return heatSeries(frame, series, i);
    if (isBar(series)) return barSeries(frame, series, i);
    return series.shape === 'dots' ? dotSeries(frame, series, i) : lineSeries(frame, series, i);
  }

  /** Whether a level has another one over it: its text then goes under it. @param {object} chart @param {object} mark */
  const below = (chart, mark) => chart.marks.some((other) => !other.upright && (other.axis || 0) === (mark.axis || 0) && other.at > mark.at);

  /** A text over an upright mark near an edge goes away from that edge. @param {object} frame @param {object} mark @param {boolean} lies */
  function aside(frame, mark, lies) {
    const along = (frame.x.values || []).concat(frame.x.place(mark.at)).filter((at) => at !== null);
    if (lies || frame.flip || !frame.x.values) return {};
    const log = frame.x.kind === 'log2' || frame.x.kind === 'log10' ? Math.log : (at) => at;
    const [low, high] = extent(along.map(log));
    const share = (log(frame.x.place(mark.at)) - low) / (high - low || 1);
    return { align: share > 0.7 ? 'right' : share < 0.3 ? 'left' : 'center' };
  }

  /** Bands and marks, on series of their own: they stay when others are hidden. @param {object} frame */
  function remarks(frame) {
    const { chart, theme, flip } = frame;
    const label = { color: theme.mark, fontSize: 12, fontFamily: FONT, distance: 4, textBorderColor: theme.paper, textBorderWidth: 3 };
    const [along, height] = flip ? ['yAxis', 'xAxis'] : ['xAxis', 'yAxis'];
    return (frame.heat ? chart.y.slice(0, 1) : chart.y).map((_, axis) => {
      const marks = (chart.marks || []).filter((mark) => (mark.upright ? 0 : mark.axis || 0) === axis).map((mark) => {
        const at = mark.upright ? frame.x.place(mark.at) : frame.heights[axis].place(mark.at);
        const lies = mark.upright === flip;
        return { name: mark.name, [mark.upright ? along : height]: at, label: { ...label, formatter: () => mark.name, position: lies ? (below(chart, mark) ? 'insideEndBottom' : 'insideEndTop') : 'end', rotate: 0, ...aside(frame, mark, lies) } };
      });
      const bands = (axis ? [] : chart.bands || []).map((band) => [{ name: band.name, [along]: frame.x.place(band.from) }, { [along]: frame.x.place(band.to) }]);
      return {
        id: 'm' + axis, type: 'line', data: [], silent: true, ...(flip ? {} : { yAxisIndex: axis }), tooltip: { show: false }, z: 1,
        markLine: { silent: true, symbol: 'none', animation: false, data: marks, lineStyle: { color: theme.mark, type: [4, 3], width: 1.5 } },
        markArea: { silent: true, animation: false, data: bands, itemStyle: { color: theme.band }, label: { ...label, color: theme.muted, position: 'insideTop', formatter: ({ name }) => name } },
      };
    });
  }

  fathom.shapes = { isBar, oneEach, barSlots, isHeat, worth, standing, endRoom, wantsRoom, mainSeries, whiskers, promises, remarks, visualMap };
})(globalThis);
