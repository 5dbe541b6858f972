// Looks at the report of every command in Chromium, on a laptop and on a phone.
//
//   node first_screen.js FOLDER     FOLDER holds a page for each kind, which `first_screen.rs` makes
//
// Prints one line a check, `ok NAME` or `FAILED NAME: why`; ends with 1 where one failed. With FATHOM_SCREENSHOTS set,
// screenshots are left in FOLDER.
'use strict';
const { watchedPage, drawAll, cutLabels, holdsTheFirstScreen, fitsItsWindow, picture, hold } = require('../../../report/tests/browser/browser.js');
const assert = require('node:assert/strict');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const folder = process.argv[2];
const KINDS = ['measure', 'sweep', 'compare', 'check', 'limit', 'run', 'for'];
const SCREENS = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];

async function looksAt(browser, kind, viewport) {
  const { page, context, wrong } = await watchedPage(browser, /^(file|data|blob):/, { viewport, colorScheme: 'light' });
  await page.goto(pathToFileURL(path.join(folder, kind + '.html')).href);
  // A search that a busy machine leaves undecided has no rate to show.
  await holdsTheFirstScreen(page, kind === 'limit' ? 1 : 4);
  await picture(page, path.join(folder, `${kind}-${viewport.width}.png`), { fullPage: false });
  await drawAll(page);
  await fitsItsWindow(page, 'light');
  assert.deepEqual(await cutLabels(page), []);
  assert.deepEqual(wrong, []);
  await context.close();
}

const checks = {};
for (const kind of KINDS) {
  for (const viewport of SCREENS) checks[`${kind} ${viewport.width}`] = (browser) => looksAt(browser, kind, viewport);
}

hold(checks, process.argv[3]);
