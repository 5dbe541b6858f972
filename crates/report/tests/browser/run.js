// Drives the pages of reports in Chromium, and says what it found.
//
//   node run.js FOLDER     FOLDER holds every-en.html, every-ko.html, hostile.html, sweep.html, texts.json
//
// Prints one line a check, `ok NAME` or `FAILED NAME: why`; ends with 1 where one failed. With FATHOM_SCREENSHOTS set,
// screenshots are left in FOLDER.
'use strict';
const { watchedPage, unfold, drawAll, cutLabels, holdsTheFirstScreen, fitsItsWindow, picture, pointAt, shapes, hold } = require('./browser.js');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const folder = process.argv[2];

/** A page on a report, which counts what should not be. */
async function opened(browser, name, options = {}) {
  const made = await watchedPage(browser, /^(file|data|blob):/, options);
  const { page } = made;
  const start = Date.now();
  const [file, place] = name.split('#');
  await page.goto(pathToFileURL(path.join(folder, file)).href + (place ? '#' + place : ''));
  await page.waitForFunction(() => document.querySelector('.chart svg, .chart canvas'));
  return { ...made, tookMs: Date.now() - start };
}

async function everyChartDraws(browser) {
  const { page, context, wrong } = await opened(browser, 'every-en.html');
  await drawAll(page);
  const boxes = await page.$$('[data-chart]');
  assert.ok(boxes.length >= 18, `${boxes.length} charts`);
  for (const box of boxes) {
    const empty = (await box.getAttribute('aria-label')).match(/Nothing|Zeros/) !== null;
    const text = await box.evaluate((b) => b.textContent);
    const name = await box.getAttribute('aria-label');
    assert.equal(text.includes('No data'), empty, name);
    if (!empty) assert.ok((await shapes(box)) > 5, `${name} has hardly a shape`);
  }
  assert.deepEqual(wrong, []);
  await context.close();
}

/** The tip of a chart's box, where it shows. */
const tipOf = (box) => box.evaluate((b) => [...b.querySelectorAll('.tip')].filter((t) => t.checkVisibility({ visibilityProperty: true, opacityProperty: true })).map((t) => t.innerText).join('\n'));

async function hoverShowsValues(browser) {
  const { page, context, wrong } = await opened(browser, 'every-en.html');
  await unfold(page);
  const expected = { compare: /SSD[\s\S]*12,480 IOPS/, depth: /IOPS[\s\S]*(us|ms)/, percentiles: /p\d[\s\S]*(us|ms)/, time: /IOPS/, heat: /MB\/s/, promise: /promised/, cached: /NAS read/, history: /UTC/ };
  for (const [id, pattern] of Object.entries(expected)) {
    const box = await page.$(`#chart-${id} .chart`);
    await box.evaluate((b) => b.scrollIntoView({ block: 'center' }));
    await page.waitForFunction((b) => b.querySelector('svg, canvas'), box);
    await pointAt(page, box);
    await page.waitForFunction((b) => b.querySelector('.tip'), box);
    assert.match(await tipOf(box), pattern, id);
  }
  assert.deepEqual(wrong, []);
  await context.close();
}

async function legendHides(browser) {
  const { page, context } = await opened(browser, 'every-en.html');
  const figure = page.locator('#chart-compare');
  const button = figure.locator('.legend button', { hasText: 'Random write' });
  await page.waitForFunction(() => document.querySelectorAll('#chart-compare path[fill="#d55e00"]').length === 3);
  await button.press('Enter');
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await page.waitForFunction(() => !document.querySelector('#chart-compare path[fill="#d55e00"]'));
  assert.ok(await button.evaluate((b) => b === document.activeElement), 'the focus stays');
  await button.press(' ');
  await page.waitForFunction(() => document.querySelectorAll('#chart-compare path[fill="#d55e00"]').length === 3);
  await context.close();
}

async function keysWalk(browser) {
  const { page, context } = await opened(browser, 'every-en.html');
  const box = await page.$('#chart-compare .chart');
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((b) => b.querySelector('.tip'), box);
  assert.match(await tipOf(box), /SSD/);
  await context.close();
}

// What a click saves. By the mouse: of downloads that no gesture asked for, Chromium loses every
// tenth. Now and then it loses one that a gesture asked for as well, so a click may be repeated.
async function downloadOf(page, button) {
  for (let left = 3; ; left -= 1) {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 8000 }).catch((lost) => lost), button.click()]);
    if (!(download instanceof Error)) return download;
    if (left === 1) throw download;
    console.error('note a download was lost');
  }
}

async function saves(browser) {
  const { page, context, wrong } = await opened(browser, 'every-en.html');
  await unfold(page);
  // Where no policy holds for what is parsed.
  const elsewhere = await browser.newContext();
  const blank = await elsewhere.newPage();
  for (const figure of await page.$$('figure')) {
    const saved = {};
    for (const form of ['svg', 'png']) {
      const button = await figure.$(`[data-save=${form}]`);
      const download = await downloadOf(page, button);
      assert.match(download.suggestedFilename(), new RegExp(`\\.${form}$`));
      saved[form] = fs.readFileSync(await download.path());
    }
    const problem = await blank.evaluate((text) => new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror')?.textContent, saved.svg.toString());
    assert.equal(problem, undefined);
    assert.equal(saved.png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
    assert.deepEqual([saved.png.readUInt32BE(16), saved.png.readUInt32BE(20)], [1920, 1120]);
    const colours = new Set();
    for (let at = 0; at < saved.png.length; at += 97) colours.add(saved.png[at]);
    assert.ok(saved.png.length > 4000 && colours.size > 16, 'the picture is not blank');
  }
  await elsewhere.close();
  assert.deepEqual(wrong, []);
  await context.close();
}

async function fits(browser, file, width, colorScheme) {
  const { page, context, wrong } = await opened(browser, file, { viewport: { width, height: 900 }, colorScheme });
  await picture(page, path.join(folder, `${file.replace('.html', '')}-${width}-${colorScheme}-first.png`), { fullPage: false });
  await drawAll(page);
  await fitsItsWindow(page, colorScheme);
  assert.deepEqual(await cutLabels(page), []);
  await numbersStandApart(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), file.includes('-ko') ? 'ko' : 'en');
  await picture(page, path.join(folder, `${file.replace('.html', '')}-${width}-${colorScheme}.png`));
  assert.deepEqual(wrong, []);
  await context.close();
}

/** Texts of a bar chart that stand on each other. */
const onEachOther = (page, id) =>
  page.evaluate((id) => {
    const texts = [...document.querySelectorAll(`#chart-${id} .chart svg text`)].map((one) => [one.textContent, one.getBoundingClientRect()]);
    const touch = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    return texts.flatMap((one, i) => texts.slice(i + 1).filter((other) => touch(one, other)).map((other) => `${one[0]} / ${other[0]}`));
  }, id);

async function numbersStandApart(page) {
  for (const id of ['compare', 'beside']) assert.deepEqual(await onEachOther(page, id), [], id);
  const marked = await page.$$eval('#chart-beside .chart svg text', (all) => all.filter((one) => one.textContent.startsWith('~')).length);
  assert.equal(marked, 6, 'uncertain means');
}

async function themeCanBeChosen(browser) {
  const { page, context } = await opened(browser, 'every-en.html', { colorScheme: 'light' });
  await page.click('[data-theme-to=dark]');
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(15, 20, 26)');
  await page.waitForFunction(() => document.querySelector('#chart-compare path[fill="#4da8e0"]'));
  await context.close();
}

async function speaksKorean(browser) {
  const { page, context } = await opened(browser, 'every-ko.html');
  const text = await page.evaluate(() => document.body.innerText);
  for (const word of ['판정', '주의', 'SVG로 저장', '다시 측정하는 방법', '임의 읽기']) assert.ok(text.includes(word), word);
  await context.close();
}

async function hostileIsInert(browser) {
  const texts = JSON.parse(fs.readFileSync(path.join(folder, 'texts.json')));
  const { page, context, wrong } = await opened(browser, 'hostile.html');
  await drawAll(page);
  for (const box of await page.$$('[data-chart]')) {
    await pointAt(page, box);
    await box.focus();
    await page.keyboard.press('ArrowRight');
  }
  const shown = await page.evaluate(() => document.body.innerText);
  for (const text of texts) assert.ok(shown.includes(text), `${text} is not shown as it is`);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  assert.equal(await page.evaluate(() => document.querySelectorAll('script').length), 4);
  assert.deepEqual(wrong, []);
  await context.close();
}

/** The numbers of the charts that are drawn, and of those that are in the window. */
const drawnAndSeen = (page) =>
  page.$$eval('[data-chart]', (boxes) => {
    const numbers = (those) => those.map((box) => Number(box.dataset.chart));
    const isSeen = ({ top, bottom }) => bottom > 0 && top < innerHeight;
    return { drawn: numbers(boxes.filter((box) => box.querySelector('svg, canvas'))), seen: numbers(boxes.filter((box) => isSeen(box.getBoundingClientRect()))) };
  });

/** Waits until all charts in the window are drawn, and whatever else was asked for by then. */
async function settled(page) {
  await page.waitForFunction(() => [...document.querySelectorAll('[data-chart]')].every((box) => box.getBoundingClientRect().bottom <= 0 || box.getBoundingClientRect().top >= innerHeight || box.querySelector('svg, canvas')));
  // One is drawn a frame: frames without another one are the end.
  await page.evaluate(async () => {
    const count = () => document.querySelectorAll('.chart svg, .chart canvas').length;
    for (let still = 0, before = count(); still < 5; still += 1) {
      await new Promise((next) => requestAnimationFrame(next));
      if (count() !== before) [still, before] = [0, count()];
    }
  });
}

/** Of hundreds of charts only those are drawn that are in the window, or a step away from it. */
async function manyCharts(browser) {
  const NEAR = 12;
  const { page, context, wrong, tookMs } = await opened(browser, 'sweep.html');
  await settled(page);
  const top = await drawnAndSeen(page);
  assert.ok(top.drawn.includes(0) && top.drawn.every((at) => at < NEAR), `${top.drawn} are drawn at the top`);
  const start = Date.now();
  await unfold(page);
  await page.evaluate(() => document.querySelector('[data-chart="499"]').scrollIntoView());
  await page.waitForFunction(() => document.querySelector('[data-chart="499"] svg'));
  console.log(`note 500 charts: open after ${tookMs} ms, the last one drawn ${Date.now() - start} ms after it was asked for`);
  await settled(page);
  const end = await drawnAndSeen(page);
  assert.ok(end.seen.includes(499) && end.seen.every((at) => end.drawn.includes(at)), `of ${end.seen} only ${end.drawn} are drawn`);
  assert.ok(end.drawn.every((at) => at < NEAR || at >= 500 - NEAR), `${end.drawn} are drawn at the end`);
  assert.deepEqual(wrong, []);
  await context.close();
}

async function prints(browser) {
  const { page, context, wrong } = await opened(browser, 'every-en.html', { colorScheme: 'dark' });
  const pdf = await page.pdf({ path: path.join(folder, 'print.pdf'), format: 'A4', printBackground: true });
  assert.ok(pdf.length > 20000);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const boxes = await page.$$('[data-chart]');
  for (const box of boxes) assert.ok(await box.$('svg, canvas'), 'drawn for print');
  assert.equal(await page.locator('.tools').first().isVisible(), false);
  assert.equal(await page.locator('#repeat pre').first().isVisible(), true);
  assert.deepEqual(wrong, []);
  await context.close();
}

async function sorts(browser) {
  const { page, context } = await opened(browser, 'every-en.html');
  await unfold(page);
  const column = () => page.$$eval('.sortable tbody tr', (rows) => rows.map((row) => row.cells[0].textContent.trim()));
  await page.locator('.sortable th button').nth(1).press('Enter');
  assert.deepEqual(await column(), ['HDD', 'NAS premium', 'SSD']);
  await page.locator('.sortable th button').nth(1).click();
  assert.deepEqual(await column(), ['SSD', 'NAS premium', 'HDD']);
  await context.close();
}

/** The first screen of a laptop and of a phone. */
async function firstScreen(browser) {
  for (const file of ['every-en.html', 'every-ko.html']) {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
      const { page, context } = await opened(browser, file, { viewport });
      await holdsTheFirstScreen(page);
      await context.close();
    }
  }
}

/** A folded chart is drawn when its section opens, also below the window; and a link into it opens it. */
async function sectionsOpen(browser) {
  const { page, context } = await opened(browser, 'every-en.html');
  const folded = '#latencies [data-chart]';
  assert.equal(await page.$$eval(folded, (boxes) => boxes.filter((box) => box.querySelector('svg, canvas')).length), 0);
  await page.click('#latencies > summary');
  await page.waitForFunction((name) => [...document.querySelectorAll(name)].every((box) => box.querySelector('svg, canvas')), folded, { polling: 50 });
  await page.evaluate(() => (location.hash = '#chart-heat'));
  await page.waitForFunction(() => document.querySelector('#chart-heat svg, #chart-heat canvas')?.closest('details').open);
  await context.close();
  const linked = await opened(browser, 'every-en.html#table-all');
  assert.equal(await linked.page.$eval('#tables', (section) => section.open), true);
  await linked.context.close();
}

async function saysItWithoutScripts(browser) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path.join(folder, 'every-en.html')).href);
  const text = await page.locator('#chart-compare table').textContent();
  assert.match(text, /12,480/);
  assert.match(await page.locator('noscript').textContent(), /Charts need JavaScript/);
  await context.close();
}

const checks = { everyChartDraws, hoverShowsValues, legendHides, keysWalk, saves, themeCanBeChosen, speaksKorean, hostileIsInert, manyCharts, prints, sorts, firstScreen, sectionsOpen, saysItWithoutScripts };
for (const file of ['every-en.html', 'every-ko.html']) {
  for (const width of [360, 768, 1280, 1920]) {
    for (const scheme of width === 360 ? ['light', 'dark'] : ['light']) checks[`fits ${file} ${width} ${scheme}`] = (browser) => fits(browser, file, width, scheme);
  }
}

hold(checks, process.argv[3]);
