// Numbers as people read them: the same texts as src/show.rs and fathom_analysis::quantity give,
// held to each other by tests/vectors.json. Classic script; fills `fathom.numbers`.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const NONE = '–';

  /**
   * Like toFixed, but halves go to the even neighbour, as Rust rounds them.
   * @param {number} value @param {number} digits 0 to 3 @returns {string}
   */
  function fixed(value, digits) {
    if (Math.abs(value) >= 1e21) return String(BigInt(value)) + (digits ? '.' + '0'.repeat(digits) : '');
    const text = value.toFixed(digits);
    const halves = Math.abs(value) * 2 ** (digits + 1);
    const tie = Number.isInteger(halves) && halves % 2 === 1;
    const odd = Number(text[text.length - 1]) % 2 === 1;
    if (!tie || !odd) return text;
    const size = Math.abs(value);
    const smaller = digits ? size * (1 - 2 ** -50) : size - 0.5;
    return (value < 0 ? '-' : '') + smaller.toFixed(digits);
  }

  /** `1,234,567`; below ten, one place after the point. @param {number} value */
  function thousands(value) {
    if (value > 0 && value < 9.95) return fixed(value, 1);
    const digits = fixed(value, 0);
    return /^\d+$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, ',') : digits;
  }

  /** At least three figures. @param {number} value */
  function figures(value) {
    const size = Math.abs(value);
    if (size >= 99.95) return thousands(value);
    return fixed(value, size >= 9.995 ? 1 : 2);
  }

  /** Without zeros that end a fraction. @param {string} text */
  function trimmed(text) {
    return text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  }

  /** @param {number} value */
  function threeFigures(value) {
    return trimmed(fixed(value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2));
  }

  /** @param {number} value @param {number} step @param {string[]} units */
  function scaled(value, step, units) {
    let rest = Math.trunc(Math.max(0, value));
    let at = 0;
    while (rest >= step - 0.5 && at + 1 < units.length) {
      rest /= step;
      at += 1;
    }
    return threeFigures(rest) + ' ' + units[at];
  }

  const BINARY = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const DECIMAL = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];

  /** @param {number} ns */
  function latency(ns) {
    if (ns < 999500) return figures(ns / 1e3) + ' us';
    if (ns < 999500000) return figures(ns / 1e6) + ' ms';
    return figures(ns / 1e9) + ' s';
  }

  /** Digits after the point of a share. @param {number} size */
  function percentDigits(size) {
    if (size === 0 || size === 100) return 0;
    if (size >= 99 && size < 100) return 1;
    if (size >= 9.95) return 0;
    if (size >= 0.995) return 1;
    return size >= 0.0095 ? 2 : 3;
  }

  /** @param {number} percent */
  function percentage(percent) {
    const size = Math.abs(percent);
    if (size > 0 && size < 0.0005) return '< 0.001 %';
    return fixed(percent, percentDigits(size)) + ' %';
  }

  /** Halves away from zero, as Rust's round(). @param {number} value */
  function rounded(value) {
    return Math.sign(value) * Math.round(Math.abs(value));
  }

  /** @param {number} s */
  function seconds(s) {
    const whole = Math.max(0, rounded(s * 1e6)) / 1e6;
    if (whole < 0.9995) return threeFigures(whole * 1e3) + ' ms';
    if (whole < 99.5) return threeFigures(whole) + ' s';
    if (whole < 3599.5) return Math.floor(rounded(whole) / 60) + ' min ' + (rounded(whole) % 60) + ' s';
    const minutes = rounded(whole / 60);
    return Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min';
  }

  /** In UTC, up to the year 9999. @param {number} ms */
  function moment(ms) {
    if (!(ms >= 0 && ms < 253402300800000)) return NONE;
    return new Date(Math.trunc(ms)).toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
  }

  /** @param {number} number */
  function plain(number) {
    if (!Number.isInteger(number)) return figures(number);
    return Math.abs(number) < 10 ? fixed(number, 0) : thousands(number);
  }

  const BY_UNIT = {
    plain,
    iops: (v) => thousands(v) + ' IOPS',
    bytes_per_s: (v) => figures(v / 1e6) + ' MB/s',
    ns: latency,
    seconds,
    block_bytes: (v) => scaled(v, 1024, BINARY),
    volume_bytes: (v) => scaled(v, 1000, DECIMAL),
    percent: percentage,
    unix_ms: moment,
  };

  /**
   * A number with its unit.
   * @param {string} unit as in model::Unit @param {number|null|undefined} number @returns {string}
   */
  function value(unit, number) {
    return Number.isFinite(number) ? (BY_UNIT[unit] || plain)(number === 0 ? 0 : number) : NONE;
  }

  /** `p99.9`; the hundredth is the most of all. @param {number} at */
  function percentile(at) {
    return at >= 100 ? 'max' : 'p' + trimmed(at.toFixed(6));
  }

  /** Large numbers, short: `250k`, `1.5M`. @param {number} value @param {number} from where it begins */
  function compact(value, from = 1e4) {
    const size = Math.abs(value);
    if (size >= 1e9) return trimmed((value / 1e9).toFixed(2)) + 'G';
    if (size >= 1e6) return trimmed((value / 1e6).toFixed(2)) + 'M';
    if (size >= from) return trimmed((value / 1e3).toFixed(2)) + 'k';
    return Number.isInteger(value) ? plain(value) : trimmed(value.toFixed(3));
  }

  /** A text and its unit, without zeros that end the fraction. @param {string} text */
  function short(text) {
    const [number, ...unit] = text.split(' ');
    return [trimmed(number), ...unit].join(' ');
  }

  /** `1 h`, `2 min`, but `1 min 30 s`. @param {number} value */
  function shortSeconds(value) {
    if (value === 0) return '0';
    return seconds(value).replace(/ min 0 s$/, ' min').replace(/ h 0 min$/, ' h');
  }

  /**
   * A number beside an axis: short, as the axis' name says the rest.
   * @param {string} unit @param {number} number @returns {string}
   */
  function tick(unit, number) {
    if (!Number.isFinite(number)) return '';
    if (unit === 'iops') return compact(number, 1e3);
    if (unit === 'plain') return compact(number);
    if (unit === 'bytes_per_s') return compact(number / 1e6);
    if (unit === 'ns' && number === 0) return '0';
    if (unit === 'seconds') return shortSeconds(number);
    if (unit === 'percent') return trimmed(number.toFixed(3)) + ' %';
    return short(value(unit, number));
  }

  fathom.numbers = { value, percentile, tick, NONE };
})(globalThis);
