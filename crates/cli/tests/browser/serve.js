// Drives the pages of `fathom serve` in Chromium, over runs that the binary made, and says what it found.
//
//   node serve.js FOLDER     FOLDER holds scene.json, which `pages.rs` writes and describes
//
// Prints one line a check, `ok NAME` or `FAILED NAME: why`; ends with 1 where one failed. With FATHOM_SCREENSHOTS set,
// screenshots are left in FOLDER. Each live run is ended by the check that looks at it.
'use strict';
const { watchedPage, drawAll, fitsItsWindow, picture, shapes, hold } = require('../../../report/tests/browser/browser.js');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const folder = process.argv[2];
const scene = JSON.parse(fs.readFileSync(path.join(folder, 'scene.json')));
const { origin, many, few, hostile, text, live, killed } = scene;
const OWN = new RegExp(`^(data:|blob:|${origin}/|${many}/)`);

async function opened(browser, address, options = {}) {
  const made = await watchedPage(browser, OWN, options);
  const answer = await made.page.goto((address.startsWith('/') ? origin : '') + address);
  assert.equal(answer.status(), 200, address);
  return made;
}

const rows = (page) => page.$$eval('input[name=run]', (boxes) => boxes.map((box) => box.value));
const row = (page, id) => page.locator('.runs tr', { has: page.locator(`input[value="${id}"]`) });

/** Submits the filters and waits for the list that they give. */
async function find(page) {
  await Promise.all([page.waitForNavigation(), page.click('.filters [type=submit]')]);
}

async function listShowsRuns(browser) {
  const { page, context, wrong } = await opened(browser, '/');
  const shown = await rows(page);
  for (const id of [...few, ...hostile]) assert.ok(shown.includes(id), id);
  assert.match(await row(page, few[0]).locator('.figures').innerText(), /IOPS/);
  assert.match(await row(page, few[0]).innerText(), /first volume/);
  await Promise.all([page.waitForURL(`${origin}/run/${few[0]}`), row(page, few[0]).locator('.about > a').click()]);
  assert.deepEqual(wrong, []);
  await context.close();
}

async function filtersFind(browser) {
  const { page, context, wrong } = await opened(browser, '/');
  await page.fill('[name=text]', 'second');
  await find(page);
  assert.deepEqual(await rows(page), [few[1]]);
  await page.click('.filters .do a');
  await page.selectOption('[name=tag]', 'first volume');
  await find(page);
  assert.deepEqual(await rows(page), [few[0]]);
  assert.equal(await page.inputValue('[name=tag]'), 'first volume');
  await page.fill('[name=since]', '2199-01-01');
  await find(page);
  assert.deepEqual(await rows(page), []);
  await page.click('.filters .do a');
  await page.selectOption('[name=kind]', 'measure');
  await page.selectOption('[name=outcome]', 'ran');
  await find(page);
  assert.deepEqual((await rows(page)).sort(), [...few].sort());
  // A tag in the list is a filter, too.
  await Promise.all([page.waitForNavigation(), row(page, few[1]).locator('.tags a').click()]);
  assert.deepEqual(await rows(page), [few[1]]);
  assert.deepEqual(wrong, []);
  await context.close();
}

async function chosenRunsAreCompared(browser) {
  const { page, context, wrong } = await opened(browser, '/');
  const submit = page.locator('.comparing [type=submit]');
  assert.ok(await submit.isDisabled());
  await row(page, few[0]).locator('input').check();
  assert.ok(await submit.isDisabled());
  // What is chosen stays chosen on another page of the list, also when one comes back.
  await page.goto(`${origin}/?text=second`);
  await row(page, few[1]).locator('input').check();
  assert.match(await page.textContent('#chosen'), /2/);
  await Promise.all([page.waitForURL(/\/compare\?/), submit.click()]);
  assert.deepEqual(new URL(page.url()).searchParams.getAll('run'), few);
  await drawAll(page);
  await drawn(page, 1);
  await page.goBack();
  assert.ok(await row(page, few[1]).locator('input').isChecked());
  await page.click('#unchoose');
  assert.ok(await submit.isDisabled());
  assert.deepEqual(wrong, []);
  await context.close();
}

/** Fails unless so many charts at least are there, each with marks of its own. */
async function drawn(page, least) {
  const boxes = await page.$$('[data-chart]');
  assert.ok(boxes.length >= least, `${boxes.length} charts`);
  for (const box of boxes) assert.ok((await shapes(box)) > 5, `${await box.getAttribute('aria-label')} has hardly a shape`);
}

async function runsHaveCharts(browser) {
  const { page, context, wrong } = await opened(browser, `/run/${few[0]}`);
  await drawAll(page);
  await drawn(page, 2);
  for (const name of ['Markdown', 'CSV', 'Document (JSON)']) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()]);
    assert.match(download.suggestedFilename(), /^fathom-.*\.(md|csv|json)$/);
    assert.ok(fs.statSync(await download.path()).size > 100, name);
  }
  assert.deepEqual(wrong, []);
  await context.close();
}

async function hostileIsInert(browser) {
  const seen = await opened(browser, '/');
  assert.ok((await row(seen.page, hostile[0]).innerText()).includes(text));
  await Promise.all([seen.page.waitForNavigation(), row(seen.page, hostile[0]).locator('.tags a').first().click()]);
  assert.deepEqual((await rows(seen.page)).sort(), [killed.id, ...hostile].sort());
  for (const address of [`/run/${hostile[0]}`, `/compare?run=${hostile[0]}&run=${hostile[1]}`, `/live/${killed.id}`]) {
    await seen.page.goto(origin + address);
    if (!address.startsWith('/live')) await drawAll(seen.page);
    assert.ok((await seen.page.evaluate(() => document.body.innerText)).includes(text), address);
    assert.equal(await seen.page.evaluate(() => document.querySelectorAll('img').length), 0, address);
  }
  assert.deepEqual(seen.wrong, []);
  await seen.context.close();
}

/** Runs that share no test cannot be compared: a page says so, in the reader's language around our own words. */
async function whatCannotBeComparedIsSaid(browser) {
  const { page, context, wrong } = await watchedPage(browser, OWN, { locale: 'ko-KR', colorScheme: 'dark', viewport: { width: 360, height: 800 } });
  const answer = await page.goto(`${origin}/compare?run=${hostile[0]}&run=${few[0]}`);
  assert.equal(answer.status(), 422);
  assert.match(await page.textContent('.found'), /영어 원문/);
  assert.ok((await page.textContent('.detail[lang=en]')).includes(text));
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  await fitsItsWindow(page, 'dark');
  await picture(page, path.join(folder, 'failure-ko-360-dark.png'));
  // The browser itself says the status.
  assert.deepEqual(wrong.filter((line) => !/status of 422/.test(line)), []);
  await context.close();
}

/** Waits until a live page has more points than `than`, and gives how many. */
async function morePoints(page, than) {
  const found = await page.waitForFunction((than) => {
    const points = Number(document.getElementById('live').dataset.points || 0);
    return points > than && points;
  }, than);
  return found.jsonValue();
}

/** What a chart's first line goes through. */
const lineOf = (page, id) => page.$eval(`#chart-${id}`, (box) => [...box.querySelectorAll('svg path[fill=none]')].map((path) => path.getAttribute('d')).join(' '));

/** A live run is drawn point by point until `signal` ends it, and then is a report. */
async function liveRunMoves(browser) {
  // A page of the list that was open before learns of it by itself; this one has it at once.
  const list = await opened(browser, '/');
  await list.page.click(`.running a[href="/live/${live.id}"]`);
  const { page } = list;
  const first = await morePoints(page, 1);
  await page.waitForFunction(() => document.querySelector('#chart-iops svg'));
  const before = await lineOf(page, 'iops');
  await morePoints(page, first + 1);
  await page.waitForFunction((before) => [...document.querySelectorAll('#chart-iops svg path[fill=none]')].map((p) => p.getAttribute('d')).join(' ') !== before, before);
  for (const id of ['iops', 'rate']) assert.ok((await shapes(await page.$(`#chart-${id}`))) > 5, id);
  assert.match(await page.textContent('#now-iops'), /\d/);
  assert.equal(await page.isVisible('#report'), false);
  await picture(page, path.join(folder, 'live-en-1280-light.png'));
  process.kill(live.pid, 'SIGINT');
  await page.waitForFunction(() => document.getElementById('live').dataset.state === 'over');
  // Nothing of a run that has ended says that it goes on.
  assert.deepEqual([await page.textContent('#left'), await page.$eval('#progress', (bar) => bar.value)], ['', 100]);
  await Promise.all([page.waitForURL(`${origin}/run/${live.id}`), page.click('#report')]);
  await drawAll(page);
  assert.deepEqual(list.wrong, []);
  await list.context.close();
}

/** The list that stays open drops a run that has ended; the live page of one that was killed says so. */
async function killedRunIsTold(browser) {
  const list = await opened(browser, '/');
  const { page, context, wrong } = await opened(browser, `/live/${killed.id}`, { locale: 'ko-KR', colorScheme: 'dark', viewport: { width: 360, height: 800 } });
  await morePoints(page, 2);
  await page.waitForFunction(() => document.querySelector('#chart-iops svg'));
  await fitsItsWindow(page, 'dark');
  await picture(page, path.join(folder, 'live-ko-360-dark.png'));
  process.kill(killed.pid, 'SIGKILL');
  await page.waitForFunction(() => document.getElementById('live').dataset.state === 'over');
  assert.equal(await page.textContent('#left'), '');
  assert.ok(await page.isVisible('#report'));
  await list.page.waitForFunction((id) => !document.querySelector(`.running a[href="/live/${id}"]`), killed.id);
  assert.deepEqual([...list.wrong, ...wrong], []);
  await context.close();
  await list.context.close();
}

async function fits(browser, name, address, locale, width, colorScheme) {
  const { page, context, wrong } = await opened(browser, address, { locale, colorScheme, viewport: { width, height: 900 } });
  await drawAll(page);
  await fitsItsWindow(page, colorScheme);
  assert.equal(await page.evaluate(() => document.documentElement.lang), locale.slice(0, 2));
  await picture(page, path.join(folder, `${name}-${locale.slice(0, 2)}-${width}-${colorScheme}.png`));
  assert.deepEqual(wrong, []);
  await context.close();
}

/** The last one to be done, since it is the only one that may load this machine for long. */
async function manyRunsAreListed(browser) {
  const { page, context, wrong } = await opened(browser, many + '/');
  const times = [];
  for (let n = 0; n < 5; n += 1) {
    await page.goto(many + '/');
    assert.equal((await rows(page)).length, 100);
    times.push(await page.evaluate(() => Math.round(performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd)));
  }
  console.log(`note a list of ${scene.manyRuns} runs: DOMContentLoaded after ${times.join(', ')} ms`);
  assert.match(await page.textContent('.extent'), /10,000/);
  assert.deepEqual(wrong, []);
  await context.close();
}

const checks = { listShowsRuns, filtersFind, chosenRunsAreCompared, runsHaveCharts, hostileIsInert, whatCannotBeComparedIsSaid };
for (const [name, address] of [['list', '/'], ['run', `/run/${few[0]}`], ['compare', `/compare?run=${few[0]}&run=${few[1]}`], ['nothing', '/?text=nothing-is-called-so']]) {
  for (const locale of ['en-GB', 'ko-KR']) {
    for (const [width, scheme] of [[360, 'dark'], [1280, 'light'], [1920, 'light']]) {
      checks[`fits ${name} ${locale} ${width} ${scheme}`] = (browser) => fits(browser, name, address, locale, width, scheme);
    }
  }
}
Object.assign(checks, { liveRunMoves, killedRunIsTold, manyRunsAreListed });

hold(checks, process.argv[3], `${new URL(origin).host},${new URL(many).host}`);
