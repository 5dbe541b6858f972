// Axes of a chart: where a value stands, how far they reach, what is written along them. Pure, as
// charts.js, which they are for. Classic script; fills `fathom.axes`.
//
// What was decided here:
// - Extents and ticks are worked out here and not by ECharts: whiskers, promises and marks count, and
//   logarithmic and nines axes get ticks that people would write.
// - Bars and cells stand on places: a numeric axis under them becomes the list of its values.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const numbers = fathom.numbers;

  // Single quotes inside: ECharts puts it as it is into attributes.
  const FONT =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR', 'Noto Sans CJK KR', sans-serif";

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
    const unit = { bytes_per_s: 'MB/s', iops: 'IOPS' }[axis.unit];
    return !unit || axis.name.includes(unit) ? axis.name : axis.name + ' (' + unit + ')';
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

  fathom.axes = { FONT, namesOf, placeText, spread, extent, textWidth, axisName, axisOption };
})(globalThis);
