// What a page costs to open and to scroll, in Chromium; for scripts/report-speed.sh, not a test: times
// belong to a machine and an hour.
//
//   node speed.js PAGE ROUNDS               prints medians of so many openings
//   node speed.js --grow DOCUMENT INTERVALS  a sweep's document with series of so many intervals, to stdout
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

/** A step of the wheel, and what lies between two of them. */
const STEP = { px: 700, ms: 50 };

/** Writes the series of a sweep's cases as often as it takes. @param {string} file @param {number} count */
function grow(file, count) {
  const document = JSON.parse(fs.readFileSync(file));
  const series = document.cases.flatMap((one) => (one.result ? one.result.jobs : [])).map((job) => job.series);
  for (const one of series.filter(({ intervals }) => intervals.length)) {
    one.intervals = Array.from({ length: count }, (_, at) => one.intervals[at % one.intervals.length]);
  }
  process.stdout.write(JSON.stringify(document));
}

/** In the page, before anything of its own: keeps long tasks, and when the first chart was there. */
function watch() {
  const seen = (globalThis.seen = { first: 0, tasks: [] });
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((task) => task.duration))).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (!seen.first && document.querySelector('.chart svg, .chart canvas')) seen.first = performance.now();
  }).observe(document, { childList: true, subtree: true });
}

/** Numbers of one opening, in ms. */
async function opening(browser, address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(watch);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.seen.first);
  await page.waitForTimeout(1000);
  const found = await page.evaluate(() => {
    const [load] = performance.getEntriesByType('navigation');
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const tasks = globalThis.seen.tasks.splice(0);
    return { 'first paint': paint.startTime, DOMContentLoaded: load.domContentLoadedEventEnd, 'first chart': globalThis.seen.first, 'longest task': Math.max(0, ...tasks) };
  });
  await page.mouse.move(640, 450);
  const atEnd = () => page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 2);
  while (!(await atEnd())) {
    await page.mouse.wheel(0, STEP.px);
    await page.waitForTimeout(STEP.ms);
  }
  await page.waitForTimeout(500);
  const tasks = await page.evaluate(() => globalThis.seen.tasks);
  await page.close();
  return { ...found, 'longest task while scrolling': Math.max(0, ...tasks), 'tasks over 50 ms while scrolling (count)': tasks.length };
}

async function main([file, rounds]) {
  const { chromium } = require('playwright-core');
  const { ARGUMENTS } = require('./browser.js');
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGUMENTS });
  const all = [];
  for (let at = 0; at < Number(rounds); at += 1) all.push(await opening(browser, pathToFileURL(path.resolve(file)).href));
  await browser.close();
  for (const name of Object.keys(all[0])) {
    const sorted = all.map((one) => Math.round(one[name])).sort((a, b) => a - b);
    console.log(`${name}: ${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)})`);
  }
}

if (process.argv[2] === '--grow') grow(process.argv[3], Number(process.argv[4]));
else main(process.argv.slice(2));
