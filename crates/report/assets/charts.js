// A chart of a report (model::Chart) as ECharts' option. Pure: no document, no clock, no state, so that
// browsers and QuickJS draw the same. Classic script; fills `fathom.option`, `.svg`, `.themes`, `.styles`.
//
// What was decided here:
// - Axes are worked out by axes.js, what stands on them by shapes.js; here they come together, with
//   colours, legend and tips.
// - Series are told apart by colour, and by line, symbol or pattern as well.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const numbers = fathom.numbers;
  const { FONT, namesOf, placeText, spread, extent, textWidth, axisName, axisOption } = fathom.axes;
  const { isBar, oneEach, barSlots, isHeat, worth, standing, endRoom, wantsRoom, mainSeries, whiskers, promises, remarks, visualMap } = fathom.shapes;

  /** Line patterns of the series of one group, in their order. */
  const DASHES = ['solid', [7, 4], [2, 3], [9, 3, 2, 3]];
  /** The group of what missed a limit: drawing::MISSED. */
  const BAD = 1000;
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];

  /** Colours after Okabe and Ito, which readers with any colour vision tell apart. */
  const themes = {
    light: {
      ink: '#15202b', muted: '#5a6675', line: '#cfd5dc', grid: '#e6e9ed', paper: '#ffffff', band: 'rgba(90,102,117,0.10)', mark: '#3a4552',
      colours: ['#0072b2', '#d55e00', '#009e73', '#b8579a', '#c98700', '#3f9fd8', '#5b6472', '#8a7a00'],
      bad: '#b3261e',
      ramp: ['#f3f6fb', '#c9dcee', '#8fbbdc', '#4b8fc0', '#1d5f98', '#0a2f5c'],
    },
    dark: {
      ink: '#e8edf2', muted: '#9aa7b5', line: '#3a4652', grid: '#27313b', paper: '#171e26', band: 'rgba(154,167,181,0.13)', mark: '#c3ccd6',
      colours: ['#4da8e0', '#f0803c', '#2fc79a', '#e19ac4', '#f2b533', '#8fd0f5', '#a9b2bf', '#e8dc5a'],
      bad: '#ff8a80',
      ramp: ['#1c2733', '#1f4468', '#2a6a9e', '#4394cc', '#86c3ec', '#e3f3ff'],
    },
  };

  // ---- what a chart is made of ---------------------------------------------------------------

  /** Whether anything has a place on the axes. @param {object} frame */
  function hasData({ chart, x, heights }) {
    const placed = (s, at) => Number.isFinite(at) && s.place(at) !== null;
    return heights.length > 0 && chart.series.some((series) => series.points.some((point) => placed(x, point.x) && placed(heights[series.axis || 0] || heights[0], point.y)));
  }

  /**
   * Colour, line, symbol and pattern of each series, for the chart and its legend.
   * @param {object} chart @param {object} theme
   */
  function styles(chart, theme) {
    const turns = new Map();
    const used = new Set(chart.series.map((series) => series.group).filter((group) => group !== undefined && group !== null));
    let free = 0;
    return chart.series.map((series, i) => {
      const grouped = series.group !== undefined && series.group !== null;
      while (!grouped && used.has(free)) free += 1;
      const key = grouped ? series.group : free++;
      const turn = turns.get(key) || 0;
      turns.set(key, turn + 1);
      const dash = Math.max(turn, series.shape === 'dashed' ? 1 : 0);
      return { colour: colourOf(key, theme), dash: DASHES[dash % DASHES.length], symbol: SYMBOLS[i % SYMBOLS.length], turn, shape: series.shape };
    });
  }

  /** The first two colours are those of reads and writes; what comes round again leaves them out. */
  const colourOf = (key, { colours, bad }) => (key === BAD ? bad : colours[key < colours.length ? key : 2 + ((key - 2) % (colours.length - 2))]);

  /** What a chart needs while it is being made. @param {object} chart @param {object} theme @param {object} words */
  function frameOf(chart, theme, words) {
    const hidden = new Set(theme.hidden || []);
    const shown = chart.series.filter((series) => !hidden.has(series.name));
    const heat = chart.series.some(isHeat);
    const bars = chart.series.some(isBar);
    const points = shown.flatMap((series) => series.points);
    const upright = (chart.marks || []).filter((mark) => mark.upright).map((mark) => mark.at);
    const banded = (chart.bands || []).flatMap((band) => [band.from, band.to]);
    const places = heat || bars;
    const along = points.map((point) => point.x).concat(places ? [] : upright.concat(chart.x.ends || []));
    const x = spread(chart.x, along.concat(places || !along.length ? [] : clipped(banded, along)), places);
    const heights = chart.y.map((axis, i) => spread(axis, heat ? points.map((point) => point.y) : reached(chart, shown, i), heat && i === 0));
    const frame = { chart, theme, words, x, heights, heat, bars, styles: styles(chart, theme), width: theme.width || 800, height: theme.height || 400 };
    frame.flip = liesBetter(frame);
    frame.pair = (along_, height) => (frame.flip ? [height, along_] : [along_, height]);
    return frame;
  }

  /** Ends of bands, where they are not further out than the data. @param {number[]} ends @param {number[]} along */
  function clipped(ends, along) {
    const [low, high] = extent(along.filter(Number.isFinite));
    return ends.filter((end) => end >= low && end <= high);
  }

  /** All heights that must fit an axis: values, whiskers, stacks, marks. @param {object} chart @param {object[]} shown @param {number} axis */
  function reached(chart, shown, axis) {
    const found = (chart.marks || []).filter((mark) => !mark.upright && (mark.axis || 0) === axis).map((mark) => mark.at);
    found.push(...((chart.y[axis] || {}).ends || []));
    const sums = new Map();
    for (const series of shown.filter((s) => (s.axis || 0) === axis)) {
      for (const point of series.points) {
        found.push(point.y, point.low ?? point.y, point.high ?? point.y);
        if (series.shape !== 'stacked') continue;
        sums.set(point.x, (sums.get(point.x) || 0) + point.y);
        found.push(sums.get(point.x));
      }
    }
    return found;
  }

  /** Whether bars with long names, or with numbers that would run into each other, read better lying. @param {object} frame */
  function liesBetter(frame) {
    const { chart, x, heights, bars, width } = frame;
    if (!bars || !namesOf(chart.x) || heights.length !== 1 || !chart.series.every(isBar)) return false;
    const widest = Math.max(0, ...x.labels.map((label) => textWidth(label, 12)));
    return x.labels.length > 1 && (widest > (width - 70) / x.labels.length - 10 || wantsRoom(frame));
  }

  /** Pixels that a lying bar and its name need, and each of several bars at one place. */
  const LYING = 40;
  const LYING_BESIDE = 22;

  /**
   * The least height of a chart that is so wide, in pixels; 0 where any will do.
   * @param {object} chart @param {number} width @param {object} words of the page
   */
  function leastHeight(chart, width, words) {
    const frame = frameOf(chart, { ...themes.light, width }, words);
    if (!frame.flip) return 0;
    const beside = oneEach(frame) ? 1 : barSlots(frame).count;
    return frame.x.labels.length * Math.max(LYING, beside * LYING_BESIDE) + 60;
  }

  // ---- hover ---------------------------------------------------------------------------------

  /** Text as HTML. @param {string} text */
  function escaped(text) {
    return String(text).replace(/[&<>"']/g, (found) => '&#' + found.charCodeAt(0) + ';');
  }

  /** A line of the tip: name, value, ends of its whisker. @param {object} frame @param {object} hovered */
  function tipLine(frame, hovered) {
    const i = Number(hovered.seriesId.slice(1));
    const series = frame.chart.series[i];
    if (isHeat(series)) return tipRow(series.name, numbers.value(worth(frame.chart).unit, hovered.data[3]), '');
    const unit = (frame.chart.y[series.axis || 0] || frame.chart.y[0]).unit;
    const [, , low, high, , y] = hovered.value;
    const whisker = Number.isFinite(low) && Number.isFinite(high);
    const promise = Number.isFinite(high) ? (frame.chart.stated || '') + ' ' + numbers.value(unit, high) + standing(frame, (series.points[hovered.dataIndex] || {}).tone) : '';
    const unstable = series.shape === 'bar' && !whisker && (series.points[hovered.dataIndex] || {}).tone === 'warning';
    const range = unstable ? frame.words.not_stable : series.shape === 'bullet' ? promise : whisker ? numbers.value(unit, low) + ' – ' + numbers.value(unit, high) : '';
    return tipRow(series.name, numbers.value(unit, y), range, hovered.marker);
  }

  /** @param {string} name @param {string} value @param {string} range @param {string} marker ECharts' own HTML */
  function tipRow(name, value, range, marker) {
    const small = range ? '<div class="range">' + escaped(range) + '</div>' : '';
    return '<div class="line">' + (marker || '') + '<span class="name">' + escaped(name) + '</span><b>' + escaped(value) + '</b></div>' + small;
  }

  /** @param {object} frame @param {object|object[]} hovered as ECharts gives it */
  function tip(frame, hovered) {
    const lines = [].concat(hovered).filter((item) => item.seriesId && item.seriesId[0] === 's' && item.data);
    if (!lines.length) return '';
    const first = lines[0].value;
    const place = placeText(frame.chart.x, first[4]);
    const where = frame.heat ? placeText(frame.chart.y[0], first[5]) + ' · ' + place : place;
    return '<div class="tip"><b>' + escaped(where) + '</b>' + lines.map((item) => tipLine(frame, item)).join('') + '</div>';
  }

  /** Whether the series stand at the same places, so that one hover can show all of them. */
  function sharesPlaces(frame) {
    if (frame.heat || frame.chart.series.some((series) => series.shape === 'dots')) return false;
    if (frame.x.kind === 'places' || frame.chart.series.length < 2) return true;
    const sets = frame.chart.series.map((series) => new Set(series.points.map((point) => point.x)));
    const all = new Set(sets.flatMap((set) => [...set]));
    return sets.every((set) => set.size * 2 >= all.size);
  }

  /** @param {object} frame */
  function tooltip(frame) {
    const { theme } = frame;
    const together = sharesPlaces(frame);
    return {
      trigger: together ? 'axis' : 'item', confine: true, transitionDuration: 0, backgroundColor: theme.paper, borderColor: theme.line, padding: [8, 12],
      textStyle: { color: theme.ink, fontSize: 13, fontFamily: FONT }, formatter: (hovered) => tip(frame, hovered),
      axisPointer: frame.bars ? { type: 'shadow', shadowStyle: { color: theme.band } } : { type: 'line' },
    };
  }

  // ---- the whole -----------------------------------------------------------------------------

  /** Rows that a drawn legend takes. @param {object} frame @param {string[]} names */
  function legendRows(frame, names) {
    let [rows, used] = [1, 0];
    for (const name of names) {
      const width = textWidth(name, 12) + 48;
      if (used + width > frame.width - 32 && used > 0) [rows, used] = [rows + 1, 0];
      used += width;
    }
    return rows;
  }

  /** Title and legend of a chart that stands alone, and the height that they take. @param {object} frame */
  function heading(frame) {
    const { chart, theme } = frame;
    const names = legendNames(chart);
    const width = frame.width - 32;
    const legend = { show: false, data: names, selected: Object.fromEntries((theme.hidden || []).map((name) => [name, false])) };
    if (!theme.alone) return { legend, title: undefined, top: 8 };
    const lines = (text, size) => (text ? Math.ceil(textWidth(text, size) / width) : 0);
    const below = chart.note;
    const titleHeight = 20 + lines(chart.title, 17) * 23 + lines(below, 12.5) * 17;
    const style = (size, color, weight) => ({ color, fontSize: size, fontWeight: weight, fontFamily: FONT, width, overflow: 'break' });
    const title = { text: chart.title, subtext: below, left: 16, top: 14, itemGap: 6, textStyle: style(17, theme.ink, 650), subtextStyle: style(12.5, theme.muted, 'normal') };
    if (names.length < 2) return { legend, title, top: titleHeight + 14 };
    const drawn = { show: true, left: 14, top: titleHeight + 6, width, itemGap: 14, itemWidth: 26, textStyle: { color: theme.ink, fontFamily: FONT, fontSize: 12 } };
    return { legend: { ...legend, ...drawn }, title, top: titleHeight + 16 + legendRows(frame, names) * 22 };
  }

  /** Names in the legend, each once. @param {object} chart @returns {string[]} */
  function legendNames(chart) {
    return [...new Set(chart.series.filter((series) => !isHeat(series)).map((series) => series.name))];
  }

  /** Both axes of the frame. @param {object} frame @param {number} room pixels for heights */
  function axes(frame, room) {
    const { theme, chart } = frame;
    const wide = frame.width - (frame.heights.length > 1 && !frame.heat ? 150 : 90);
    const x = axisOption(frame.x, theme, false, frame.flip ? room : wide);
    const bottom = { ...x, name: axisName(chart.x), nameLocation: 'middle', nameGap: 30 };
    if (frame.flip) {
      const values = axisOption(frame.heights[0], theme, true, wide / 1.6);
      // The longest bar ends where the axis does: on a narrow page a round end would cost a third.
      const most = extent(frame.heights[0].values || [])[1];
      const end = frame.heights[0].kind === 'linear' && most > 0 ? { max: most } : {};
      const lying = { ...values, ...end, name: axisName(chart.y[0]), nameLocation: 'middle', nameGap: 28 };
      const label = { ...x.axisLabel, interval: 0, rotate: 0, width: Math.min(260, frame.width * 0.34), overflow: 'break' };
      return { xAxis: lying, yAxis: { ...x, inverse: true, name: '', axisLabel: label } };
    }
    const upright = (frame.heat ? frame.heights.slice(0, 1) : frame.heights).map((s, i) => heightOption(frame, s, i, room));
    return { xAxis: bottom, yAxis: upright.length ? upright : [{ type: 'value', show: false }] };
  }

  /** @param {object} frame @param {object} s spread @param {number} i @param {number} room */
  function heightOption(frame, s, i, room) {
    const option = axisOption(s, frame.theme, true, room);
    const align = i ? 'right' : 'left';
    const split = i ? { splitLine: { show: false } } : {};
    const style = { ...option.nameTextStyle, align: i ? 'right' : 'left', padding: i ? [0, -30, 0, 0] : [0, 0, 0, -30] };
    return { ...option, ...split, position: align, name: axisName(s.axis), nameLocation: 'end', nameGap: 14, nameTextStyle: style };
  }

  /**
   * The chart as ECharts' option.
   * @param {object} chart model::Chart as serde writes it
   * @param {object} theme one of `themes`, with `width`, `height` in pixels, `hidden` names of series,
   *   `alone` for title and legend inside, `still` for no animation
   * @param {object} words of the page: `no_data`
   */
  function option(chart, theme, words) {
    const frame = frameOf(chart, theme, words);
    const head = heading(frame);
    const common = { animation: !theme.still, animationDuration: 350, backgroundColor: theme.alone ? theme.paper : 'transparent', textStyle: { fontFamily: FONT } };
    if (!hasData(frame)) return { ...common, title: [].concat(head.title || [], nothing(frame)) };
    const names = chart.y.some((axis) => axis.name) && !frame.flip;
    const top = head.top + (names ? 24 : 8);
    const bottom = frame.heat ? 44 : 10;
    const series = chart.series.map((s, i) => mainSeries(frame, s, i));
    const overs = chart.series.flatMap((s, i) => (isHeat(s) ? [] : s.shape === 'bullet' ? promises(frame, s, i) : whiskers(frame, s, i)));
    return {
      ...common, ...axes(frame, frame.height - top - bottom - 46), title: head.title, legend: head.legend, visualMap: visualMap(frame), tooltip: tooltip(frame),
      grid: { left: 12, right: 18 + endRoom(frame), top, bottom, outerBoundsMode: 'same', outerBoundsContain: 'all' }, series: [...series, ...overs, ...remarks(frame)], aria: { enabled: false },
    };
  }

  /** @param {object} frame */
  function nothing(frame) {
    return { text: frame.words.no_data, left: 'center', top: 'middle', textStyle: { color: frame.theme.muted, fontSize: 14, fontWeight: 'normal', fontFamily: FONT } };
  }

  /**
   * The chart as a document of its own: title, legend, light, on white.
   * @param {object} echarts the library @param {object} chart @param {object} words @returns {string} SVG
   */
  function svg(echarts, chart, words) {
    const size = { width: 960, height: 560 };
    const drawn = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
    try {
      drawn.setOption(option(chart, { ...themes.light, ...size, alone: true, still: true }, words));
      return drawn.renderToSVGString();
    } finally {
      drawn.dispose();
    }
  }

  Object.assign(fathom, { option, svg, themes, styles, legendNames, leastHeight });
})(globalThis);
