import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { eraseChatUser } from '../../db/chats/erase.ts';
import { findChatUser } from '../../db/chats/users.ts';
import { recordAction } from '../../db/operator/actions.ts';
import { erasePerson, findObstacle, type NotYetErased } from '../../db/people/erase.ts';
import { exportPerson } from '../../db/people/export.ts';
import { findPeople, type Person } from '../../db/people/find.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import { createErasureList, personName } from '../readiness/erasure-list.ts';
import { Refused, toJson, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { refuseRestored } from './stops.ts';
import { countText, usdcText } from './text.ts';

export const personCommand: OperatorCommand = {
  name: 'person',
  usage: 'export <recipient> | erase <recipient> [--yes]',
  help: 'for somebody who has proved to you that a name is theirs: hands out all that is known of them, or erases it once no money of theirs is here any more',
  run: async (context) => {
    const [what, name, ...more] = context.words;
    if ((what !== 'export' && what !== 'erase') || name === undefined || more.length > 0)
      throw new UsageError('Expected export or erase, and one recipient such as x:alice.');
    const people = await findNamed(context, name);
    if (people.length === 0) throw new Refused(`Nothing is known of ${name}.`);
    return what === 'export' ? exportAll(context, people) : eraseAll(context, people);
  },
};

async function findNamed({ store }: CommandContext, name: string): Promise<Person[]> {
  const [, word = '', receiver = ''] = /^@?([a-z]+)[:/](.+)$/i.exec(name) ?? [];
  const platform = findPlatform(word);
  if (platform === null) throw new UsageError(`Name the recipient as platform:handle, such as x:alice; found ${name}.`);
  return findPeople(store, platform, parseRecipient(platform, receiver).key);
}

async function exportAll({ store, nowMs, who }: CommandContext, people: readonly Person[]) {
  const found = [];
  for (const person of people) found.push(await exportPerson(store, person));
  await store.tx((db) => record(db, store, people, { name: 'person export', who, result: 'handed out', nowMs }));
  return { data: { people: found }, lines: [toJson({ people: found })] };
}

/** Notes are kept for ever, so they hold no name. */
async function record(
  db: Parameters<typeof recordAction>[0],
  { tables }: CommandContext['store'],
  people: readonly Person[],
  { name, who, result, nowMs }: { name: string; who: string; result: string; nowMs: number },
): Promise<void> {
  await recordAction(db, tables, { name, arguments: people.map(({ id }) => id), who }, { result, nowMs });
}

async function eraseAll(context: CommandContext, people: readonly Person[]) {
  const { store, config, nowMs, options, who } = context;
  await refuseRestored(store);
  if (!options.yes)
    throw new Refused(
      `${countText(people.length, 'person')} of that name. What waits for them goes back to its payers, and after that all that names them is erased, but for what is on chain. Nothing was changed: repeat it with --yes.`,
    );
  const list = createErasureList(config.dataDir);
  let payments = 0;
  for (const person of people) {
    await clearTheWay(context, person);
    // First: an erasure that is not noted there would be undone by a backup.
    await list.note(personName(person), nowMs);
    const account = `${person.platform}:${person.stableId}`;
    if ((await findChatUser(store, account)) !== null) {
      await list.note(account, nowMs);
      await eraseChatUser(store, account, nowMs);
    }
    payments += (await erasePerson(store, person)).payments;
  }
  await store.tx((db) => record(db, store, people, { name: 'person erase', who, result: 'erased', nowMs }));
  return {
    data: { erased: people.length, payments, remains: REMAINS },
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
