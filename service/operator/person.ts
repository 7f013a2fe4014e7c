import { findPlatform, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { eraseChatUser } from '../../db/chats/erase.ts';
import { findChatUser } from '../../db/chats/users.ts';
import { recordAction } from '../../db/operator/actions.ts';
import { erasePerson, findObstacle, type NotYetErased } from '../../db/people/erase.ts';
import { exportPerson } from '../../db/people/export.ts';
import { findBearers, findById, type Bearer, type Person } from '../../db/people/find.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import { createErasureList, personName } from '../readiness/erasure-list.ts';
import { Refused, toJson, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { refuseRestored } from './stops.ts';
import { countText, timeText, usdcText } from './text.ts';

export const personCommand: OperatorCommand = {
  name: 'person',
  usage: 'export <platform>:#<id> | erase <platform>:#<id> [--yes]',
  help: 'for somebody who has proved to you that a name is theirs: hands out all that is known of them, or erases it once no money of theirs is here any more; a name such as x:alice lists the ids of those who had it',
  run: async (context) => {
    const [what, name, ...more] = context.words;
    if ((what !== 'export' && what !== 'erase') || name === undefined || more.length > 0)
      throw new UsageError('Expected export or erase, and one person such as x:#12345, or a name such as x:alice.');
    const person = await findOne(context, name);
    return what === 'export' ? exportOne(context, person) : eraseOne(context, person);
  },
};

/**
 * One person, by the id of their platform. A name only tells who there is, unless it is the id itself: its owner may have
 * changed since we last asked, and what one of them proved is nothing of another's.
 */
async function findOne({ store }: CommandContext, name: string): Promise<Person> {
  const [, word = '', receiver = ''] = /^@?([a-z]+)[:/](.+)$/i.exec(name) ?? [];
  const platform = findPlatform(word);
  if (platform === null)
    throw new UsageError(`Name the person as platform:#id or platform:handle, such as x:alice; found ${name}.`);
  const id = idOf(platform, receiver);
  if (id !== null) {
    const person = await findById(store, platform, id);
    if (person === null) throw new Refused(`Nothing is known of ${name}.`);
    return person;
  }
  const { key } = parseRecipient(platform, receiver);
  const bearers = await findBearers(store, platform, key);
  if (bearers.length === 0) throw new Refused(`Nothing is known of ${name}.`);
  throw new Refused(
    [
      `A name may have had several owners, and ${platform}:${key} belongs or belonged to ${countText(bearers.length, 'id')}. Nothing was done: repeat it with the id whose proof you saw.`,
      ...bearers.map((bearer) => bearerText(bearer, `${platform}:${key}`)),
    ].join('\n'),
  );
}

function idOf(platform: Platform, receiver: string): string | null {
  if (platformRow(platform).nameIsIdentity) return parseRecipient(platform, receiver).key;
  return receiver.startsWith('#') ? receiver.slice(1) : null;
}

function bearerText({ person, proof }: Bearer, name: string): string {
  const proved =
    proof === null
      ? `no claim here proved ${name}`
      : `proved ${name}${proof.atMs === null ? '' : ` at ${timeText(proof.atMs)}`} by claim ${proof.claimId}`;
  return `${personText(person)}  ${proved}`;
}

/** The name is the one that was last seen. */
const personText = ({ platform, stableId, key }: Person) => `${platform}:#${stableId} (${key})`;

async function exportOne({ store, nowMs, who }: CommandContext, person: Person) {
  const found = await exportPerson(store, person);
  await store.tx((db) => record(db, store, person, { name: 'person export', who, result: 'handed out', nowMs }));
  return { data: { person: found }, lines: [toJson({ person: found })] };
}

/** Notes are kept for ever, so they hold no name. */
async function record(
  db: Parameters<typeof recordAction>[0],
  { tables }: CommandContext['store'],
  { id }: Person,
  { name, who, result, nowMs }: { name: string; who: string; result: string; nowMs: number },
): Promise<void> {
  await recordAction(db, tables, { name, arguments: [id], who }, { result, nowMs });
}

async function eraseOne(context: CommandContext, person: Person) {
  const { store, config, nowMs, options, who } = context;
  await refuseRestored(store);
  if (!options.yes)
    throw new Refused(
      `This is ${personText(person)}. What waits for them goes back to its payers, and after that all that names them is erased, but for what is on chain. Nothing was changed: repeat it with --yes.`,
    );
  await clearTheWay(context, person);
  const list = createErasureList(config.dataDir);
  // First: an erasure that is not noted there would be undone by a backup.
  await list.note(personName(person), nowMs);
  const account = `${person.platform}:${person.stableId}`;
  if ((await findChatUser(store, account)) !== null) {
    await list.note(account, nowMs);
    await eraseChatUser(store, account, nowMs);
  }
  const { payments } = await erasePerson(store, person);
  await store.tx((db) => record(db, store, person, { name: 'person erase', who, result: 'erased', nowMs }));
  return {
    data: { erased: 1, payments, remains: REMAINS },
    lines: [`Erased, in ${countText(payments, 'payment')}.`, REMAINS],
  };
}

const REMAINS =
  'What cannot be erased: transactions on the chains, with their addresses and sums; the ledger, in which people are opaque numbers; and what payers keep of whom they paid, in their own chats. A refusal of payments is forgotten as well.';

/** Waiting money goes back first, kept money leaves first. Throws Refused while that is not done. */
async function clearTheWay({ store, nowMs }: CommandContext, person: Person): Promise<void> {
  const obstacle = await findObstacle(store, person, nowMs);
  if (obstacle === null) return;
  if (obstacle.kind === 'waits') for (const txnId of obstacle.txnIds) await refundLine(store, txnId, nowMs, 'declined');
  throw new Refused(OBSTACLES[obstacle.kind](obstacle));
}

const OBSTACLES: { [Kind in NotYetErased['kind']]: (found: NotYetErased) => string } = {
  waits: () => 'What waited for this person is on its way back to its payers. Repeat this once it is there.',
  under_way: (found) =>
    `${'count' in found ? found.count : 0} payments or withdrawals of this person are not final yet. Nothing was erased; repeat this later.`,
  kept: (found) =>
    `${'amountMicroUsdc' in found ? usdcText(found.amountMicroUsdc) : 'Money'} is kept here for this person, who has to take it out first. Nothing was erased.`,
  collecting: () => 'This person is collecting at this moment. Nothing was erased; repeat this in an hour.',
};
