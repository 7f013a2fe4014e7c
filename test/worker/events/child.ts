/** A worker that tells endpoints, in a process of its own, which dies at a named point: `child.ts <database> <point>`. */
import { pino } from 'pino';
import { openStore, type DatabaseAddress } from '../../../db/store/open.ts';
import { createFailpoint } from '../../../service/failpoint.ts';
import { startEvents } from '../../../worker/events/events.ts';
import { createTestEvents } from '../../support/events/event-parts.ts';
import { createLoneHolder } from '../lone-holder.ts';

const [database, point] = process.argv.slice(2);
const store = await openStore(JSON.parse(database ?? '') as DatabaseAddress);
startEvents({
  ...createTestEvents().worker,
  store,
  now: () => Date.now(),
  log: pino({ level: 'silent' }),
  failpoint: createFailpoint(point, true),
  holder: createLoneHolder(),
});
