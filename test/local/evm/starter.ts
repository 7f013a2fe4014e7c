/** A process that starts the local Base of a directory, says so, and does nothing until it is killed: `tsx starter.ts DIR`. */
import { startLocalEvm } from '../../../local/evm/network.ts';

const { rpcUrl, pid, instanceId, origin } = await startLocalEvm({
  network: 'base',
  dir: process.argv[2]!,
  blockTimeMs: 200,
});
console.log(JSON.stringify({ rpcUrl, pid, instanceId, origin }));
setInterval(() => undefined, 60_000);
