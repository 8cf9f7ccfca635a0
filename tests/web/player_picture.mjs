// SPDX-License-Identifier: MIT
// A picture of the player at a frame, once it is drawn. Usage: node player_picture.mjs PAGE FRAME WIDTH HEIGHT PICTURE
// Ends with status 1 and a line if the page complains or shows nothing: such a picture is not written.
import { faultOfCanvas, launch, open, settled } from './player_page.mjs';

const [file, frame, width, height, picture] = process.argv.slice(2);
const browser = await launch();
try {
  const page = await open(browser, file, `#frame=${frame}&pause`, { viewport: { width: Number(width), height: Number(height) } });
  await settled(page);
  const fault = page.complaints[0] || await faultOfCanvas(page);
  if (fault) throw new Error(fault);
  await settled(page);
  await page.screenshot({ path: picture, timeout: 60000 });
} catch (error) {
  console.error(`player: ${error.message.split('\n')[0]}`);
  process.exitCode = 1;
}
await browser.close();
