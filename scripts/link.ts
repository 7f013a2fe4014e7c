import { parseConfig } from '../core/config.ts';
import { linkRecipient } from '../service/link.ts';

/** `npm run link -- x:alice 0x…`: says where a recipient's money goes, until people can claim it themselves. */
const [name, address] = process.argv.slice(2);
try {
  if (name === undefined || address === undefined) throw new Error('Usage: npm run link -- x:alice 0x…');
  const linked = await linkRecipient(parseConfig(process.env), name, address);
  const payouts = linked.payouts === 1 ? '1 waiting payment is' : `${linked.payouts} waiting payments are`;
  process.stdout.write(`${linked.recipient} is paid at ${linked.address} from now on; ${payouts} on the way.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
