// A chart of a report (model::Chart) as ECharts' option. Pure: no document, no clock, no state, so that
// browsers and QuickJS draw the same. Classic script; fills `fathom.option`, `.svg`, `.themes`, `.styles`.
//
// What was decided here:
// - Extents and ticks are worked out here and not by ECharts: whiskers, promises and marks count, and
//   logarithmic and nines axes get ticks that people would write.
// - Bars and cells stand on places: a numeric axis under them becomes the list of its values.
// - Series are told apart by colour, and by line, symbol or pattern as well.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const numbers = fathom.numbers;

  // Single quotes inside: ECharts puts it as it is into attributes.
  const FONT =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', sans-serif";
  const MAX_SYMBOLS = 60;
  const MAX_LABELLED_BARS = 14;
  const MAX_LABELLED_CELLS = 150;
  /** Line patterns of the series of one group, in their order. */
  const DASHES = ['solid', [7, 4], [2, 3], [9, 3, 2, 3]];
  const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];

  /** Colours after Okabe and Ito, which readers with any colour vision tell apart. */
  const themes = {
    light: {
      ink: '#15202b', muted: '#5a6675', line: '#cfd5dc', grid: '#e6e9ed', paper: '#ffffff', band: 'rgba(90,102,117,0.10)', mark: '#3a4552',
      colours: ['#0072b2', '#d55e00', '#009e73', '#b8579a', '#c98700', '#3f9fd8', '#5b6472', '#8a7a00'],
      ramp: ['#f3f6fb', '#c9dcee', '#8fbbdc', '#4b8fc0', '#1d5f98', '#0a2f5c'],
    },
    dark: {
      ink: '#e8edf2', muted: '#9aa7b5', line: '#3a4652', grid: '#27313b', paper: '#171e26', band: 'rgba(154,167,181,0.13)', mark: '#c3ccd6',
      colours: ['#4da8e0', '#f0803c', '#2fc79a', '#e19ac4', '#f2b533', '#8fd0f5', '#a9b2bf', '#e8dc5a'],
      ramp: ['#1c2733', '#1f4468', '#2a6a9e', '#4394cc', '#86c3ec', '#e3f3ff'],
    },
  };

  // ---- axes -----------------------------------------------------------------------------------

  /** @param {object} axis @returns {string[]|undefined} */
  const namesOf = (axis) => (axis.scale && axis.scale.names) || undefined;

  /** @param {number} p percentile @returns {number} 0 for 50, 1 for 90, 2 for 99, 3 for 99.9 */
  function nines(p) {
    const tail = -Math.log10(1 - p / 100);
    const fifty = Math.log10(2);
    return tail >= 1 ? tail : (tail - fifty) / (1 - fifty);
  }

  /** The label of a whole number of `nines`. @param {number} at */
  function ninesLabel(at) {
    if (at < 0) return '0';
    return ['50', '90', '99'][at] || '99.' + '9'.repeat(at - 2);
  }

  /** The text of a value on an axis, with its unit: as show::place. @param {object} axis @param {number} at */
  function placeText(axis, at) {
    const names = namesOf(axis);
    if (names) return names[Math.round(at)] === undefined ? numbers.value('plain', at) : names[Math.round(at)];
    if (axis.scale === 'nines') return numbers.percentile(at);
    return numbers.value(axis.unit, at);
  }

  /** @param {number[]} values @returns {number[]} sorted, each once */
  const distinct = (values) => [...new Set(values)].sort((a, b) => a - b);

  /** The index of the nearest of sorted values. @param {number[]} values @param {number} at */
  function nearest(values, at) {
    let best = 0;
    values.forEach((value, i) => {
      if (Math.abs(value - at) < Math.abs(values[best] - at)) best = i;
    });
    return best;
  }

  /**
   * How an axis is spread: its kind, and where a value stands in ECharts' terms.
   * @param {object} axis @param {number[]} values all that must fit @param {boolean} asPlaces
   */
  function spread(axis, values, asPlaces) {
    const names = namesOf(axis);
    if (names) return { kind: 'places', axis, labels: names, place: (at) => Math.round(at) };
    const finite = values.filter(Number.isFinite);
    if (asPlaces) return spreadPlaces(axis, distinct(finite));
    if (axis.scale === 'nines') return spreadNines(axis, finite);
    const log = axis.scale === 'log10' || axis.scale === 'log2';
    const kept = log ? finite.filter((value) => value > 0) : finite;
    const place = (at) => (Number.isFinite(at) && (!log || at > 0) ? at : null);
    return { kind: log ? axis.scale : axis.unit === 'unix_ms' ? 'time' : 'linear', axis, values: kept, place };
  }

  /** @param {object} axis @param {number[]} values */
  function spreadPlaces(axis, values) {
    const index = new Map(values.map((value, i) => [value, i]));
    const label = axis.scale === 'nines' ? placeText : (a, v) => numbers.tick(a.unit, v);
    const place = (at) => (index.has(at) ? index.get(at) : nearest(values, at));
    return { kind: 'places', axis, labels: values.map((value) => label(axis, value)), numeric: true, place };
  }

  /** @param {object} axis @param {number[]} values percentiles */
  function spreadNines(axis, values) {
    const placed = values.filter((value) => value < 100).map(nines);
    const top = Math.floor(Math.max(0, ...placed) + 1e-6) + 1;
    const most = values.some((value) => value >= 100) ? top : null;
    const place = (at) => (!Number.isFinite(at) ? null : at >= 100 ? top : nines(at));
    return { kind: 'nines', axis, values: values.map(place), most, place };
  }

  /** A step that people count in. @param {number} rough @param {string} unit */
  function niceStep(rough, unit) {
    if (unit === 'seconds' && rough > 10) {
      const step = [15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200].find((s) => s >= rough);
      return step || Math.ceil(rough / 86400) * 86400;
    }
    const base = unit === 'block_bytes' ? 1024 ** Math.max(0, Math.floor(Math.log(rough) / Math.log(1024))) : 1;
    const power = 10 ** Math.floor(Math.log10(rough / base));
    return base * power * ([1, 2, 2.5, 5, 10].find((m) => m * power * base >= rough * 0.999) || 10);
  }

  /** Multiples of a step in a stretch. @param {number} from @param {number} to @param {number} step */
  function multiples(from, to, step) {
    const ticks = [];
    for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9 && ticks.length < 50; i += 1) {
      ticks.push(Number((i * step).toPrecision(12)));
    }
    return ticks;
  }

  /** @param {object} s spread @param {boolean} height whether it stands upright, from zero @param {number} wanted ticks */
  function linearExtent(s, height, wanted) {
    let [low, high] = extent(s.values);
    if (height) [low, high] = [Math.min(0, low), Math.max(0, high)];
    if (low === high) [low, high] = height ? [low, low + 1] : [low - Math.abs(low || 1) / 2, high + Math.abs(high || 1) / 2];
    const step = niceStep((high - low) / wanted, s.axis.unit);
    if (height) [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
    return { min: low, max: high, ticks: multiples(low, high, step) };
  }

  /** The least and the most. @param {number[]} values */
  function extent(values) {
    if (!values.length) return [0, 1];
    return values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  }

  /** Numbers that a logarithmic axis may show, between two, at certain parts of a decade. */
  function logTicks(base, factors, low, high) {
    const log = (v) => Math.log(v) / Math.log(base);
    const ticks = [];
    for (let power = Math.floor(log(low) - 1e-9); power <= Math.ceil(log(high) + 1e-9); power += 1) {
      factors.forEach((factor) => ticks.push(Number((factor * base ** power).toPrecision(12))));
    }
    return ticks;
  }

  /** @param {object} s spread @param {number} wanted */
  function logExtent(s, wanted) {
    const base = s.kind === 'log2' ? 2 : 10;
    let [low, high] = s.values.length ? extent(s.values) : [1, base];
    if (low === high) [low, high] = [low / base, high * base];
    const forms = base === 2 ? [[1]] : [[1, 2, 5], [1, 3], [1]];
    const ends = logTicks(base, forms[0], low, high);
    const min = ends.findLast((tick) => tick <= low * 1.0001);
    const max = ends.find((tick) => tick >= high * 0.9999);
    const within = forms.map((factors) => logTicks(base, factors, low, high).filter((tick) => tick >= min && tick <= max));
    return { min, max, ticks: thinned(within.find((ticks) => ticks.length <= wanted * 1.5) || within.at(-1), wanted * 1.7) };
  }

  /** Every so many of ticks that are too many. @param {number[]} ticks @param {number} wanted */
  function thinned(ticks, wanted) {
    const every = Math.ceil(ticks.length / wanted);
    return ticks.filter((_, i) => i % every === 0);
  }

  /** @param {object} s spread @param {number} wanted */
  function ninesExtent(s, wanted) {
    const [low, high] = extent(s.values);
    const min = s.values.length ? Math.min(0, low) : 0;
    const max = Math.max(min + 1, s.most === null ? Math.ceil(high - 1e-9) : s.most);
    const ticks = multiples(Math.ceil(min), max, 1);
    return { min, max, ticks: thinned(ticks, Math.max(3, wanted * 1.5)) };
  }

  /** Style that all axes share. @param {object} theme */
  function axisStyle(theme, height) {
    return {
      axisLine: { show: !height, lineStyle: { color: theme.line } },
      axisTick: { show: false },
      axisLabel: { color: theme.muted, fontSize: 12, hideOverlap: true, fontFamily: FONT },
      nameTextStyle: { color: theme.muted, fontSize: 12, fontFamily: FONT },
      splitLine: { show: height, lineStyle: { color: theme.grid } },
      axisPointer: { lineStyle: { color: theme.muted }, label: { show: false } },
    };
  }

  /** The axis' name, with the unit that its ticks leave out. @param {object} axis */
  function axisName(axis) {
    const unit = { bytes_per_s: 'MB/s', iops: 'IO/s' }[axis.unit];
    return !unit || axis.name.includes(unit) || axis.name.includes('IOPS') ? axis.name : axis.name + ' (' + unit + ')';
  }

  /** ECharts' axis for a spread. @param {object} s @param {object} theme @param {boolean} height @param {number} room pixels */
  function axisOption(s, theme, height, room) {
    const style = axisStyle(theme, height);
    const wanted = Math.max(height ? 2 : 3, Math.min(height ? 6 : 9, Math.floor(room / (height ? 55 : 72))));
    if (s.kind === 'places') return placesOption(s, style, theme, room);
    if (s.kind === 'time') return timeOption(style);
    const log = s.kind === 'log2' || s.kind === 'log10';
    const e = log ? logExtent(s, wanted) : s.kind === 'nines' ? ninesExtent(s, wanted) : linearExtent(s, height, wanted);
    const text = s.kind === 'nines' ? (at) => (at === s.most ? 'max' : ninesLabel(at)) : (at) => numbers.tick(s.axis.unit, at);
    Object.assign(style.axisLabel, { formatter: text, customValues: e.ticks });
    Object.assign(style.axisTick, { customValues: e.ticks });
    const kind = log ? { type: 'log', logBase: s.kind === 'log2' ? 2 : 10 } : { type: 'value' };
    return { ...style, ...kind, min: e.min, max: e.max };
  }

  /** Roughly how wide a text is, in pixels. @param {string} text @param {number} size of the font */
  function textWidth(text, size) {
    let units = 0;
    for (const letter of String(text)) units += letter.codePointAt(0) > 0x1100 ? 1 : 0.56;
    return units * size;
  }

  /** @param {object} s @param {object} style @param {object} theme @param {number} room */
  function placesOption(s, style, theme, room) {
    const slot = room / Math.max(1, s.labels.length);
    const widest = Math.max(0, ...s.labels.map((label) => textWidth(label, 12)));
    Object.assign(style.axisLabel, { formatter: undefined });
    if (!s.numeric && widest > slot - 8) {
      const tilt = slot < 48;
      Object.assign(style.axisLabel, { interval: 0, hideOverlap: false, rotate: tilt ? 40 : 0, overflow: tilt ? 'truncate' : 'break', width: tilt ? 110 : slot - 8 });
    }
    return { ...style, type: 'category', data: s.labels.length ? s.labels : [''], splitLine: { show: false } };
  }

  /** @param {object} style */
  function timeOption(style) {
    const formatter = {
      year: '{yyyy}', month: '{yyyy}-{MM}', day: '{MM}-{dd}', hour: '{HH}:{mm}', minute: '{HH}:{mm}', second: '{HH}:{mm}:{ss}', millisecond: '{HH}:{mm}:{ss}',
    };
    Object.assign(style.axisLabel, { formatter });
    return { ...style, type: 'time' };
  }

  // ---- what a chart is made of ---------------------------------------------------------------

  const isBar = (series) => ['bar', 'stacked', 'bullet'].includes(series.shape);
  const isHeat = (series) => series.shape === 'heat';

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
      const colours = theme.colours;
      return { colour: colours[key % colours.length], dash: DASHES[dash % DASHES.length], symbol: SYMBOLS[i % SYMBOLS.length], turn, shape: series.shape };
    });
  }

  /** A subtle pattern over bars that share a colour. @param {number} turn @param {object} theme */
  function pattern(turn, theme) {
    if (!turn) return undefined;
    const angles = [0, -Math.PI / 4, Math.PI / 4, 0];
    return { symbol: 'rect', color: theme.paper, dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: angles[turn % angles.length] };
  }

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
    const along = points.map((point) => point.x).concat(places ? [] : upright);
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

  /** Whether bars with long names read better lying. @param {object} frame */
  function liesBetter({ chart, x, heights, bars, width }) {
    if (!bars || !namesOf(chart.x) || heights.length !== 1 || !chart.series.every(isBar)) return false;
    const widest = Math.max(0, ...x.labels.map((label) => textWidth(label, 12)));
    return x.labels.length > 1 && widest > (width - 70) / x.labels.length - 10;
  }

  // ---- series --------------------------------------------------------------------------------

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
    const style = (point) => ({ color: point.tone === 'bad' ? frame.theme.colours[1] : undefined, decal: ['bad', 'warning'].includes(point.tone) ? pattern(point.tone === 'bad' ? 1 : 2, frame.theme) : undefined });
    return series.points.map((point) => ({ value: datum(frame, series, point), itemStyle: Object.fromEntries(Object.entries(style(point)).filter(([, value]) => value)) }));
  }

  /** Widths of bars: those of a histogram touch. @param {object} frame */
  function barRoom(frame) {
    const touching = frame.x.numeric && frame.x.labels.length > 24;
    return { barGap: '8%', barCategoryGap: touching ? '4%' : '32%', barMaxWidth: touching ? undefined : 56 };
  }

  /** Whether the chart has few enough bars to write their numbers at their ends. @param {object} frame */
  function labelled(frame) {
    const count = frame.chart.series.filter(isBar).reduce((sum, s) => sum + s.points.length, 0);
    return count <= MAX_LABELLED_BARS && (frame.flip || (frame.width - 80) / Math.max(1, count) > 44);
  }

  const hasWhisker = (point) => Number.isFinite(point.low) && Number.isFinite(point.high);

  /** The number over a bar; bars with whiskers have it over those. @param {object} frame @param {object} series */
  function barLabel(frame, series) {
    const unit = (frame.chart.y[series.axis || 0] || {}).unit;
    const show = labelled(frame) && series.shape === 'bar';
    const text = ({ dataIndex, value }) => (hasWhisker(series.points[dataIndex]) ? '' : short(unit, value[5]));
    return { show, position: frame.flip ? 'right' : 'top', fontFamily: FONT, fontSize: 12, fontWeight: 600, color: frame.theme.ink, formatter: text };
  }

  /** A text at the end of a bar. @param {object} frame @param {number[]} at pixels @param {string} text */
  function endText(frame, [x, y], text) {
    const place = frame.flip ? { x: x + 6, y, align: 'left', verticalAlign: 'middle' } : { x, y: y - 5, align: 'center', verticalAlign: 'bottom' };
    return { type: 'text', style: { ...place, text, fill: frame.theme.ink, font: '600 12px ' + FONT } };
  }

  /** A number beside a bar: its unit is on the axis. @param {string} unit @param {number} number */
  function short(unit, number) {
    const text = numbers.value(unit, number);
    return unit === 'iops' || unit === 'bytes_per_s' ? text.replace(/ (IO|MB)\/s$/, '') : text;
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
    const rows = [];
    const axis = frame.heights[series.axis || 0] || frame.heights[0];
    for (const point of series.points) {
      if (!hasWhisker(point)) continue;
      const ends = [axis.place(point.low), axis.place(point.high)];
      if (ends.every((end) => end !== null)) rows.push([frame.x.place(point.x), ...ends, point.y]);
    }
    if (!rows.length) return [];
    const bar = isBar(series);
    const text = series.shape === 'bar' && labelled(frame);
    const draw = (_, api) => {
      const layout = bar ? barLayout(frame, api, i) : { offsetCenter: 0, width: 14 };
      const half = Math.min(7, layout.width / 3);
      const at = (height, aside) => moved(frame, api.coord(frame.pair(api.value(0), height)), layout.offsetCenter + aside);
      const [low, high] = [api.value(1), api.value(2)];
      const ends = [[at(low, 0), at(high, 0)], [at(low, -half), at(low, half)], [at(high, -half), at(high, half)]];
      const drawn = strokes(ends, { stroke: bar ? frame.theme.ink : frame.styles[i].colour, lineWidth: 1.5 });
      if (text) drawn.children.push(endText(frame, at(high, 0), short(axis.axis.unit, api.value(3))));
      return drawn;
    };
    return [over(frame, series, i, 'w', rows, draw)];
  }

  /** A point moved along the bottom axis. */
  const moved = (frame, [x, y], by) => (frame.flip ? [x, y + by] : [x + by, y]);

  /** How a bullet may stand to its promise: its word, after its sign. */
  const TONES = ['good', 'warning', 'bad'];
  const SIGNS = { good: ['✓', 'kept'], warning: ['?', 'untold'], bad: ['✗', 'missed'] };

  /** @param {object} frame @param {string} tone */
  function standing(frame, tone) {
    const [sign, word] = SIGNS[tone] || [];
    // Beside a bar that lies on a narrow page there is room for the sign only.
    const room = !frame.flip || frame.width > 500;
    return sign ? ' ' + sign + (room ? ' ' + (frame.words[word] || '') : '') : '';
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
      const share = endText(frame, at(Math.max(promise, measured), 0), numbers.value('percent', (measured / promise) * 100) + standing(frame, TONES[api.value(4)]));
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
    const room = (frame.width - 90) / Math.max(1, frame.x.labels.length) > 38;
    return {
      id: 's' + i, name: series.name, type: 'heatmap', data: cells.map(row), itemStyle: { borderColor: frame.theme.paper, borderWidth: frame.x.labels.length > 40 ? 0 : 1.5, borderRadius: 2 },
      label: { show: room && cells.length <= MAX_LABELLED_CELLS, fontSize: 11, fontFamily: FONT, formatter: ({ data }) => numbers.tick(worth(frame.chart).unit, Number(data[3].toPrecision(3))) },
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
    const promise = Number.isFinite(high) ? frame.words.promised + ' ' + numbers.value(unit, high) + standing(frame, (series.points[hovered.dataIndex] || {}).tone) : '';
    const range = series.shape === 'bullet' ? promise : whisker ? numbers.value(unit, low) + ' – ' + numbers.value(unit, high) : '';
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
    const below = [chart.says, chart.note].filter(Boolean).join(' · ');
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
      const lying = { ...values, name: axisName(chart.y[0]), nameLocation: 'middle', nameGap: 28 };
      const label = { ...x.axisLabel, interval: 0, rotate: 0, width: Math.min(260, frame.width * 0.36), overflow: 'break' };
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
   * @param {object} words of the page: `no_data`, `promised`
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
      grid: { left: 12, right: 18, top, bottom, outerBoundsMode: 'same', outerBoundsContain: 'all' }, series: [...series, ...overs, ...remarks(frame)], aria: { enabled: false },
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

  Object.assign(fathom, { option, svg, themes, styles, legendNames });
})(globalThis);
