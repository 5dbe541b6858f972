// What the page of a report does: draws charts when they come near, hides series, saves, copies, sorts,
// changes colours. Classic script; exposes `fathom.draw` so that other pages can put a chart in a box.
//
// What was decided here:
// - Texts reach the document as text nodes only. The tips, which ECharts takes as HTML, escape theirs.
// - A box is drawn when it is near the window, one after another and the nearest first, so that hundreds
//   of charts open at once and whoever scrolls past them waits for none.
// - Once nothing near waits, the other charts of an open section follow, if they are not too many: a
//   picture of the whole page shows no blank. A folded section is drawn when it opens.
(function (root) {
  'use strict';
  const fathom = (root.fathom = root.fathom || {});
  const MANY_POINTS = 3000;
  const SAVED = { width: 960, height: 560 };
  const PRINT_WIDTH = 690;
  /** A section of more charts is drawn only where it is looked at. */
  const WHOLE_SECTION = 40;
  /** Around the window, in which charts are drawn before they are seen. */
  const NEAR = '600px 0px';

  /** Light or dark, as the page says or else the system. */
  function themeName() {
    const chosen = document.documentElement.dataset.theme;
    return chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

  /** An element with attributes and children. */
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // ---- a chart in a box ------------------------------------------------------------------------

  /** A chart in its box. */
  class Drawn {
    /** @param {HTMLElement} box @param {object} chart model::Chart @param {object} words @param {HTMLElement?} legend */
    constructor(box, chart, words, legend) {
      Object.assign(this, { box, chart, words, legend, hidden: new Set(), forced: null, tip: -1 });
      const points = chart.series.reduce((sum, series) => sum + series.points.length, 0);
      this.makeRoom();
      this.instance = root.echarts.init(box, null, { renderer: points > MANY_POINTS ? 'canvas' : 'svg' });
      // At once: who takes a picture of a page that just opened shall see whole bars.
      this.show(false);
    }

    /** @param {boolean} moving whether it may grow into its place */
    show(moving) {
      const { clientWidth: width, clientHeight: height } = this.box;
      const theme = { ...fathom.themes[this.forced || themeName()], width, height, hidden: [...this.hidden], still: !moving };
      this.instance.setOption(fathom.option(this.chart, theme, this.words), { notMerge: true });
      if (this.legend) this.showLegend(theme);
    }

    /** Bars that lie need a height that grows with their number. */
    makeRoom() {
      const least = fathom.leastHeight(this.chart, this.box.clientWidth, this.words);
      this.box.style.minHeight = least ? least + 'px' : '';
    }

    /** Its size follows the box. */
    fit() {
      this.makeRoom();
      this.instance.resize();
      this.show(false);
    }

    /** Replaces the data: for a chart that moves. @param {object} chart */
    update(chart) {
      this.chart = chart;
      this.show(false);
    }

    /** @param {object} theme */
    showLegend(theme) {
      const names = fathom.legendNames(this.chart);
      if (names.length < 2) return;
      const styles = fathom.styles(this.chart, theme);
      const focused = [...this.legend.children].indexOf(document.activeElement);
      this.legend.replaceChildren(...names.map((name) => this.legendButton(name, styles)));
      if (focused >= 0) this.legend.children[focused].focus();
    }

    /** @param {string} name @param {object[]} styles */
    legendButton(name, styles) {
      const at = this.chart.series.findIndex((series) => series.name === name);
      const pressed = String(!this.hidden.has(name));
      const button = element('button', { type: 'button', 'aria-pressed': pressed }, swatch(styles[at]), name);
      button.addEventListener('click', () => this.toggle(name));
      return button;
    }

    /** Hides a series, or shows it again. @param {string} name */
    toggle(name) {
      if (!this.hidden.delete(name)) this.hidden.add(name);
      this.show(!still());
    }

    /** Moves the tip to the next or the last point. @param {number} by */
    step(by) {
      const at = this.chart.series.findIndex((series) => series.points.length && !this.hidden.has(series.name));
      if (at < 0) return;
      const count = this.chart.series[at].points.length;
      this.tip = (this.tip + by + count) % count;
      this.instance.dispatchAction({ type: 'showTip', seriesIndex: at, dataIndex: this.tip });
    }

    /** No tip. */
    leave() {
      this.tip = -1;
      this.instance.dispatchAction({ type: 'hideTip' });
    }
  }

  /** A piece of the legend: line, symbol or bar as the series is drawn. @param {object} style */
  function swatch(style) {
    const bar = ['bar', 'stacked', 'bullet'].includes(style.shape);
    const svg = drawing('svg', { viewBox: '0 0 28 14', 'aria-hidden': 'true' });
    if (bar) svg.append(drawing('rect', { x: 7, y: 1, width: 14, height: 12, rx: 2.5, fill: style.colour }));
    if (bar && style.turn) svg.append(drawing('path', { d: 'M8 12l8-11M13 13l8-11', stroke: '#fff', 'stroke-width': 1.5 }));
    if (bar) return svg;
    const dashes = style.dash === 'solid' ? 'none' : style.dash.join(' ');
    if (style.shape !== 'dots') svg.append(drawing('path', { d: 'M0 7h28', stroke: style.colour, 'stroke-width': 2.25, 'stroke-dasharray': dashes }));
    svg.append(symbol(style));
    return svg;
  }

  const OUTLINES = { circle: 'M10 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0', rect: 'M10.5 3.5h7v7h-7z', triangle: 'M14 2.5l4.5 8h-9z', diamond: 'M14 2l4 5-4 5-4-5z' };

  /** @param {object} style */
  function symbol(style) {
    const empty = style.symbol.startsWith('empty');
    const outline = OUTLINES[empty ? style.symbol.slice(5).toLowerCase() : style.symbol];
    return drawing('path', { d: outline, class: empty ? 'hollow' : '', fill: empty ? 'var(--card)' : style.colour, stroke: style.colour, 'stroke-width': empty ? 1.75 : 0 });
  }

  /** An element of SVG. */
  function drawing(name, attributes) {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  /** Puts a chart into a box. @returns {Drawn} */
  fathom.draw = (box, chart, words, legend) => new Drawn(box, chart, words, legend || null);

  // ---- the page --------------------------------------------------------------------------------

  const drawn = new Map();
  let data = { words: {}, charts: [], points: [] };

  /** A chart of the page's data, with its points as model::Chart has them. @param {number} at */
  function chartAt(at) {
    const chart = data.charts[at];
    const point = ([x, y, low, high, value, tone]) => ({ x, y, low, high, value, tone });
    const series = chart.series.map((one, i) => ({ ...one, points: data.points[at][i].map(point) }));
    return { ...chart, series };
  }

  /** The chart of a figure's box. @param {HTMLElement} box */
  const chartOf = (box) => chartAt(Number(box.dataset.chart));

  /** Draws the chart of a box, once. Where it fails its figures stand open. @param {HTMLElement} box */
  function drawBox(box) {
    if (drawn.has(box)) return;
    const figure = box.closest('figure');
    drawn.set(box, null);
    try {
      const made = fathom.draw(box, chartOf(box), data.words, figure.querySelector('.legend'));
      drawn.set(box, made);
      sizes.observe(box);
    } catch (why) {
      console.error(why);
      box.textContent = data.words.failed;
      figure.querySelector('details').open = true;
    }
  }

  const every = (then) => [...drawn.values()].filter(Boolean).forEach(then);

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const made = drawn.get(target);
      if (!made || made.forced || !target.clientWidth) continue;
      const { clientWidth, clientHeight } = target;
      if (made.instance.getWidth() !== clientWidth || made.instance.getHeight() !== clientHeight) made.fit();
    }
  });

  /** The box nearest to the middle of the window. @param {Set<HTMLElement>} boxes */
  function nearest(boxes) {
    const distance = (box) => {
      const { top, bottom } = box.getBoundingClientRect();
      return Math.abs((top + bottom - innerHeight) / 2);
    };
    return [...boxes].map((box) => [distance(box), box]).reduce((a, b) => (b[0] < a[0] ? b : a))[1];
  }

  /** Boxes are drawn when they come near, and not those that are far again before their turn. @param {HTMLElement[]} boxes */
  function drawWhenNear(boxes) {
    const [waiting, farOnes] = [new Set(), new Set()];
    let asked = false;
    const drawNext = () => {
      asked = false;
      const box = waiting.size ? nearest(waiting) : farOnes.values().next().value;
      if (!box) return;
      waiting.delete(box);
      farOnes.delete(box);
      places.unobserve(box);
      drawBox(box);
      ask(() => setTimeout(drawNext));
    };
    const ask = (how) => {
      if (asked || !(waiting.size || farOnes.size)) return;
      asked = true;
      how();
    };
    const places = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) waiting[isIntersecting ? 'add' : 'delete'](target);
      ask(drawNext);
    }, { rootMargin: NEAR });
    boxes.forEach((box) => places.observe(box));
    const opened = (section) => {
      const own = boxes.filter((box) => box.closest('.section') === section && !drawn.has(box));
      if (own.length > WHOLE_SECTION) return;
      own.forEach((box) => farOnes.add(box));
      ask(drawNext);
    };
    sections().forEach((section) => section.addEventListener('toggle', () => section.open && opened(section)));
  }

  // ---- folded sections ---------------------------------------------------------------------------

  const sections = () => [...document.querySelectorAll('details.section')];

  /** Opens what holds the place that the address names. */
  function openNamed() {
    // Ids have letters, digits and dashes only: what is escaped names none.
    const named = document.getElementById(location.hash.slice(1));
    for (let one = named; one; one = one.parentElement) if (one.tagName === 'DETAILS') one.open = true;
    if (named) named.scrollIntoView();
  }

  /** Sections that were opened for paper alone. */
  let unfolded = [];

  /** On paper: all of them, light, as wide as a page. */
  function forPrint() {
    unfolded = [...document.querySelectorAll('.section, .more')].filter((one) => !one.open);
    unfolded.forEach((one) => (one.open = true));
    document.querySelectorAll('[data-chart]').forEach(drawBox);
    every((made) => {
      made.forced = 'light';
      made.instance.resize({ width: PRINT_WIDTH, height: 300 });
      made.show(false);
    });
  }

  function afterPrint() {
    unfolded.forEach((one) => (one.open = false));
    every((made) => {
      made.forced = null;
      made.instance.resize({ width: 'auto', height: 'auto' });
      made.show(false);
    });
  }

  // ---- buttons -----------------------------------------------------------------------------------

  /** Hands a file to the reader. @param {string} url @param {string} name */
  function download(url, name) {
    element('a', { href: url, download: name }).click();
  }

  /** @param {object} chart @param {string} form svg or png */
  function save(chart, form) {
    if (form === 'png') return download(png(chart), chart.id + '.png');
    const url = URL.createObjectURL(new Blob([fathom.svg(root.echarts, chart, data.words)], { type: 'image/svg+xml' }));
    download(url, chart.id + '.svg');
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  }

  /** The chart as it is saved, in twice the pixels. @param {object} chart @returns {string} URL of its data */
  function png(chart) {
    const instance = root.echarts.init(document.createElement('div'), null, { renderer: 'canvas', ...SAVED });
    try {
      instance.setOption(fathom.option(chart, { ...fathom.themes.light, ...SAVED, alone: true, still: true }, data.words));
      return instance.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: '#fff' });
    } finally {
      // Not at once: the library paints on in the frames that it has asked for, and would find
      // nothing there to paint on.
      setTimeout(() => instance.dispose(), 1000);
    }
  }

  /** @param {HTMLButtonElement} button */
  async function copy(button) {
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand('copy');
    }
    button.textContent = data.words.copied;
    document.getElementById('said').textContent = data.words.copied;
    setTimeout(() => (button.textContent = data.words.copy), 2000);
  }

  /** @param {string} name auto, light or dark */
  function setTheme(name) {
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    document.querySelectorAll('[data-theme-to]').forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.themeTo === name)));
    every((made) => made.show(false));
  }

  // ---- tables ------------------------------------------------------------------------------------

  /** @param {HTMLTableElement} table */
  function sortable(table) {
    for (const head of table.tHead.rows[0].cells) {
      const button = element('button', { type: 'button', title: data.words.sort }, head.textContent);
      button.addEventListener('click', () => sort(table, head));
      head.replaceChildren(button);
    }
  }

  /** @param {HTMLTableElement} table @param {HTMLTableCellElement} head */
  function sort(table, head) {
    const up = head.getAttribute('aria-sort') !== 'ascending';
    for (const cell of table.tHead.rows[0].cells) cell.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((a, b) => compared(a.cells[head.cellIndex], b.cells[head.cellIndex]) * (up ? 1 : -1));
    body.append(...rows);
  }

  /** Numbers before words. */
  function compared(a, b) {
    const [x, y] = [a, b].map((cell) => (cell && cell.dataset.by !== undefined ? Number(cell.dataset.by) : null));
    if (x !== null && y !== null) return x - y;
    if (x !== null || y !== null) return x !== null ? -1 : 1;
    return (a ? a.textContent : '').localeCompare(b ? b.textContent : '', document.documentElement.lang, { numeric: true });
  }

  // ---- events ------------------------------------------------------------------------------------

  function clicked(event) {
    const button = event.target.closest('button');
    if (!button) return;
    if (button.dataset.themeTo) setTheme(button.dataset.themeTo);
    if (button.dataset.copy !== undefined) copy(button);
    if (button.dataset.save) save(chartOf(button.closest('figure').querySelector('[data-chart]')), button.dataset.save);
  }

  /** Arrows walk along a chart's points. */
  function pressed(event) {
    const made = drawn.get(event.target);
    if (!made) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) made.step(by);
    if (event.key === 'Escape') made.leave();
    if (by || event.key === 'Escape') event.preventDefault();
  }

  function listen() {
    document.addEventListener('click', clicked);
    document.addEventListener('keydown', pressed);
    document.addEventListener('focusout', (event) => drawn.get(event.target)?.leave());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => every((made) => made.show(false)));
    addEventListener('beforeprint', forPrint);
    addEventListener('afterprint', afterPrint);
    addEventListener('hashchange', openNamed);
  }

  function start() {
    const source = document.getElementById('report-data');
    if (!source) return;
    data = JSON.parse(source.textContent);
    document.querySelectorAll('.theme, .tools, [data-copy]').forEach((part) => (part.hidden = false));
    document.querySelectorAll('table.sortable').forEach(sortable);
    listen();
    drawWhenNear([...document.querySelectorAll('[data-chart]')]);
    openNamed();
  }

  start();
})(globalThis);
