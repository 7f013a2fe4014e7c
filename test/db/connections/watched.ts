import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Resolves once the second threads of so many processes have spoken for them. */
export async function untilWatched(url: string, processes: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (;;) {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM lock_holders');
    if ((rows[0]?.count ?? 0) >= processes) break;
    await sleep(50);
  }
  await client.end();
}
