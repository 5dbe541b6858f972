// What every test of a page in a real browser shares: Chromium behind a proxy that refuses
// everything, a page that counts what should not be, and checks that run one after another.
//
// `driver.rs` starts the scripts that use this: NODE_PATH is the folder of playwright-core, FATHOM_BROWSER the
// program.
'use strict';
const { chromium } = require('playwright-core');
const assert = require('node:assert/strict');
const http = require('node:http');

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
/** Hosts that Chromium itself calls, whatever page is open: not the page's doing. */
const OF_CHROMIUM = /^(https?:\/\/)?[\w.-]+\.(google|googleapis|gstatic)\.com[:/]/;

/** A proxy that refuses, and keeps what it was asked for. */
async function refusingProxy() {
  const asked = [];
  const keep = (url) => OF_CHROMIUM.test(url) || asked.push(url);
  const refuse = (request, response) => {
    keep(request.url);
    response.writeHead(403).end();
  };
  const server = http.createServer(refuse);
  server.on('connect', (request, socket) => {
    keep(request.url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { asked, server, address: 'http://127.0.0.1:' + server.address().port };
}

/** A blank page, which counts what should not be. @param {RegExp} own the requests that may be */
async function watchedPage(browser, own, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  // Waits look again by time and not by frames: a busy machine may paint none for long.
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = (test, argument, more) => waitForFunction(test, argument, { polling: 50, ...more });
  const wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && wrong.push('console: ' + message.text()));
  page.on('pageerror', (error) => wrong.push('error: ' + error.message));
  page.on('dialog', (dialog) => {
    wrong.push('dialog: ' + dialog.message());
    dialog.dismiss();
  });
  page.on('request', (request) => own.test(request.url()) || wrong.push('request: ' + request.url()));
  return { page, context, wrong };
}

/** Opens every section. */
const unfold = (page) => page.$$eval('details.section, details.more', (all) => all.forEach((one) => (one.open = true)));

/** Opens a report and walks down it until every chart is drawn. */
async function drawAll(page) {
  await unfold(page);
  // The loop runs in the page: a call to a busy browser takes as long as drawing a chart. It waits by time and not for frames: a busy
  // machine may paint none for long.
  await page.evaluate(async () => {
    for (const box of document.querySelectorAll('[data-chart]')) {
      box.scrollIntoView({ block: 'center' });
      for (const start = Date.now(); !box.querySelector('svg, canvas'); await new Promise((next) => setTimeout(next, 5))) {
        if (Date.now() - start > 30000) throw new Error(`${box.getAttribute('aria-label')} is not drawn`);
      }
    }
  });
}

/** Moves the mouse to the middle of a chart's box. Playwright's own `hover` first waits for two frames, which a busy machine may not paint. */
async function pointAt(page, box) {
  const { x, y } = await box.evaluate((b) => {
    b.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = b.getBoundingClientRect();
    return { x: left + width * 0.52, y: top + height * 0.45 };
  });
  await page.mouse.move(x, y);
}

/** Texts that are cut off at the right by what holds them, without a way to scroll there. */
const cutOff = (page) =>
  page.evaluate(() => {
    const clips = (one) => ['clip', 'hidden'].includes(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1;
    return [...document.querySelectorAll('main *')].filter(clips).map((one) => `${one.tagName}.${one.className}`);
  });

/** Texts in charts that reach out of their chart, or end in an ellipsis. */
const cutLabels = (page) =>
  page.evaluate(() => {
    const isCut = (box, text) => {
      const [outer, inner] = [box.getBoundingClientRect(), text.getBoundingClientRect()];
      const out = inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
      return inner.width > 0 && (out || /…|\.\.\.$/.test(text.textContent));
    };
    const cut = (box) => [...box.querySelectorAll('svg text')].filter((text) => isCut(box, text)).map((text) => `${box.closest('figure').id}: ${text.textContent}`);
    return [...document.querySelectorAll('[data-chart]')].flatMap(cut);
  });

/** Fails where the first screen is not the sentence, the tiles and one chart, with all else folded. @param {number} tiles at least */
async function holdsTheFirstScreen(page, tiles = 4) {
  await page.waitForFunction(() => document.querySelector('.hero .chart svg, .hero .chart canvas'));
  const found = await page.evaluate(() => {
    const bottom = (name) => Math.max(0, ...[...document.querySelectorAll(name)].map((one) => one.getBoundingClientRect().bottom));
    const open = [...document.querySelectorAll('details[open]')].map((one) => one.id || one.className);
    return { height: innerHeight, answer: bottom('.answer'), tiles: document.querySelectorAll('.tile').length, row: bottom('.tile'), chart: bottom('.hero .chart'), charts: document.querySelectorAll('.chart svg, .chart canvas').length, open, width: innerWidth };
  });
  const seen = JSON.stringify(found);
  assert.ok(found.answer > 0 && found.row > found.answer && found.chart > found.row && found.chart <= found.height, seen);
  assert.ok(found.tiles >= tiles && found.tiles <= 4 && found.charts === 1 && !found.open.length, seen);
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Fails where a page is wider than its window, cuts texts off, or is painted in another scheme. */
async function fitsItsWindow(page, colorScheme) {
  assert.ok((await overflow(page)) <= 0, `${await overflow(page)} px too wide`);
  assert.deepEqual(await cutOff(page), []);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, colorScheme === 'dark' ? 'rgb(15, 20, 26)' : 'rgb(246, 247, 249)');
}

/** Takes a picture of the whole page, or only of the window, where FATHOM_SCREENSHOTS asks for pictures: they take longer than all else. */
async function picture(page, path, { fullPage = true } = {}) {
  if (process.env.FATHOM_SCREENSHOTS) await page.screenshot({ path, fullPage });
}

/** Marks that a chart consists of: what is left when its axes are not counted would be none. */
const shapes = (box) => box.evaluate((b) => b.querySelectorAll('svg path, svg text').length);

/**
 * Runs the checks whose name holds `only`, says of each whether it holds, and ends the process: with
 * 1 where one did not, or where a request left the pages. @param {string} past the hosts with ports, between
 * commas, that may be reached; without it none may be
 */
async function hold(checks, only = '', past = '') {
  const proxy = await refusingProxy();
  // Without <-loopback> a browser would reach all of this machine; the last rule that fits counts.
  const bypass = past && '<-loopback>,' + past;
  const browser = await chromium.launch({ executablePath: process.env.FATHOM_BROWSER, args: ARGUMENTS, proxy: { server: proxy.address, bypass } });
  let failed = 0;
  for (const [name, check] of Object.entries(checks).filter(([name]) => name.includes(only))) {
    const start = Date.now();
    try {
      await check(browser);
      console.log(`ok ${name}, ${Date.now() - start} ms`);
    } catch (why) {
      failed += 1;
      console.log(`FAILED ${name}: ${why.message.split('\n').slice(0, 12).join(' ')}`);
    }
  }
  await browser.close();
  proxy.server.close();
  console.log(proxy.asked.length ? 'FAILED requests left the page: ' + proxy.asked : 'ok no request left the page');
  process.exit(failed || proxy.asked.length ? 1 : 0);
}

module.exports = { ARGUMENTS, watchedPage, unfold, drawAll, cutLabels, holdsTheFirstScreen, fitsItsWindow, picture, pointAt, shapes, hold };
