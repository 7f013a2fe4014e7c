/** A process that starts the local Solana network of a directory, says so, and does nothing until it is killed: `tsx starter.ts DIR`. */
import { startLocalSolana } from '../../../local/solana/network.ts';

const { rpcUrl, pid, instanceId, origin } = await startLocalSolana({ dir: process.argv[2]!, slotMs: 50 });
console.log(JSON.stringify({ rpcUrl, pid, instanceId, origin }));
setInterval(() => undefined, 60_000);
