/** A process that holds a private Redis: `tsx private-redis-starter.ts DIR`. It closes when its standard input ends. */
import { once } from 'node:events';
import { startPrivateRedis } from '../../../local/redis/private-redis.ts';

const redis = await startPrivateRedis({ dir: process.argv[2]! });
console.log(JSON.stringify({ path: redis.path, started: redis.started }));
process.stdin.resume();
await once(process.stdin, 'end');
await redis.close();
