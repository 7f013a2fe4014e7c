import { shownAddress } from '../../chain/shown-address.ts';
import type { Config } from '../../core/config/config.ts';
import type { Naming } from '../../db/operator/lost-names.ts';
import { eraseAgain } from '../../db/chats/erase.ts';
import { reconcile, restoredStop, type ReconcileResult } from '../../db/operator/reconcile.ts';
import { chainNamesOf } from '../../worker/paid-before.ts';
import type { Store } from '../../db/store/store.ts';
import { erasePerson } from '../../db/people/erase.ts';
import { everyPerson } from '../../db/people/find.ts';
import { createErasureList, erasedName, personName } from '../readiness/erasure-list.ts';
import { openKnownTransferIds } from '../transfer-ids.ts';
import { Refused, type Answer, type CommandContext, type OperatorCommand } from './command.ts';
import { stopText } from './stops.ts';
import { countText, timeText, usdcText } from './text.ts';

const SHOWN_MAX = 100;

export const reconcileCommand: OperatorCommand = {
  name: 'reconcile',
  usage: '[<fact> ...]',
  help: 'after a restored backup: books what the chain shows of the lost time, gives back what it shows unpaid, holds what is doubtful, and lets signing go on; facts are transfers from our addresses that are your own',
  run: async ({ config, store, nowMs, newPayoutId: newId, words, who }) => {
    const naming = await namingOf(config, store);
    const command = { name: 'reconcile', arguments: words, who };
    // Before the stop goes, which is what tells that there is something to repeat.
    const isRestored = (await restoredStop(store)) !== null;
    const erased = isRestored
      ? await eraseAgain(store, await createErasureList(config.dataDir).read(), erasedName, nowMs)
      : 0;
    const again = isRestored ? await erasePeopleAgain({ config, store }) : 0;
    const { data, lines } = describe(await reconcile(store, words, { ...naming, newId, command, nowMs }));
    const erasedLines = [
      ...(erased === 0 ? [] : [`${countText(erased, 'order')} erased again, as their people had asked.`]),
      ...(again === 0 ? [] : [`${countText(again, 'person')} erased again, as they had asked.`]),
    ];
    return { data: { ...data, erasedAgain: erased, peopleErasedAgain: again }, lines: [...lines, ...erasedLines] };
  },
};

/** Also those for whom something waits again: it goes back as any other, and to nobody by this name. */
async function erasePeopleAgain({ config, store }: Pick<CommandContext, 'config' | 'store'>): Promise<number> {
  const kept = new Set((await createErasureList(config.dataDir).read()).map(({ user }) => user));
  let count = 0;
  for await (const person of kept.size === 0 ? [] : everyPerson(store)) {
    if (!kept.has(erasedName(personName(person)))) continue;
    await erasePerson(store, person);
    count += 1;
  }
  return count;
}

/** What transfers are called on the chains. */
export async function namingOf(config: Config, store: Store): Promise<Naming> {
  return { namesOf: chainNamesOf, transferIdOf: await openKnownTransferIds(config, store) };
}

function describe(result: ReconcileResult): Answer {
  switch (result.kind) {
    case 'nothing':
      return {
        data: result,
        lines: ['No process has noticed that this database lost anything: there is nothing to reconcile.'],
      };
    case 'waits':
      throw new Refused(
        [
          'What was signed in the lost time may still land, so nothing was changed. Keep a worker running, and repeat this:',
          ...result.networks.map(
            ({ network, untilSeconds }) => `${network}: once it is read up to ${timeText(untilSeconds * 1_000)}.`,
          ),
        ].join('\n'),
      );
    case 'unexplained':
      throw new Refused(
        [
          `${countText(result.outflows.length, 'transfer')} left us in the lost time, and none of our payments explains them: signing stays stopped.`,
          'If you know each of them, such as a withdrawal of your own, repeat this with their names. They are booked as a loss to your own money.',
          ...result.outflows
            .slice(0, SHOWN_MAX)
            .map(
              ({ fact, network, amountMicroUsdc, toAddress }) =>
                `${fact}  ${usdcText(amountMicroUsdc)} on ${network} to ${shownAddress(toAddress)}`,
            ),
        ].join('\n'),
      );
    case 'done': {
      const { landed, lost, returned, held, stillStopped } = result;
      const lines = [
        `${countText(landed, 'transfer')} of the lost time booked, ${lost} as lost. ${countText(returned, 'payment')} not paid out go back, ${held} are held: "suspense" lists them, "held" the payouts that wait for you (paid_before), "resolve" what the chain tells of one.`,
        ...(stillStopped.length === 0 ? ['Signing goes on.'] : ['Still stopped:', ...stillStopped.map(stopText)]),
      ];
      return { data: result, lines };
    }
  }
}
