import { loadConfig } from '../service/keystore/load.ts';
import { linkRecipient } from '../service/operator/link.ts';
import { linkedText } from '../service/operator/money.ts';
import { placeText } from '../service/operator/place.ts';
import { loadEnvironment } from './environment.mjs';

/** `npm run link -- x:alice 0x…`: sets the payout address of a recipient. */
const [name, address] = process.argv.slice(2);
try {
  if (name === undefined || address === undefined) throw new Error('Usage: npm run link -- x:alice 0x…');
  loadEnvironment();
  const config = loadConfig(process.env);
  process.stderr.write(`${placeText(config)}\n`);
  process.stdout.write(`${linkedText(await linkRecipient(config, name, address))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
