/** A process that starts local mode, says so, and does nothing until it is killed: `tsx mode-starter.ts DATA_DIR`. */
import { join } from 'node:path';
import { ensureLocalKeys } from '../../local/keys.ts';
import { startLocalMode } from '../../local/mode.ts';
import { localChainsOf } from '../support/served.ts';

const dataDir = process.argv[2]!;
const keys = ensureLocalKeys(join(dataDir, 'local', 'keys.json'));
const local = await startLocalMode({ dataDir, networks: ['base', 'solana'], keys, blockTimeMs: 0, slotMs: 0 });
const { base, solana } = localChainsOf(local);
const describe = ({ pid, instanceId, rpcUrl }: { pid: number; instanceId: string; rpcUrl: string }) => ({
  pid,
  instanceId,
  rpcUrl,
});
console.log(JSON.stringify({ base: describe(base), solana: describe(solana!) }));
setInterval(() => undefined, 60_000);
