import { shownAddress } from '../../chain/shown-address.ts';
import {
  resolveHeld,
  storyOf,
  type Resolution,
  type Story,
  type Told,
  type Unproven,
} from '../../db/operator/resolve.ts';
import { shownTransfer } from './held.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { namingOf } from './reconcile.ts';
import { refuseRestored } from './stops.ts';
import { timeText, usdcText } from './text.ts';

const UNKNOWN =
  'Nothing of that name is held since a restore: "held" lists payouts (paid_before), "suspense" inbounds.';

export const resolveCommand: OperatorCommand = {
  name: 'resolve',
  usage: '<payout | fact> [--reason <why> --yes]',
  help: 'what "reconcile" held: tells what the chain shows of it; with a reason a payout goes out, and what is left of an inbound goes back, where that is proven',
  run: async (context) => {
    const { config, store, nowMs, options, who } = context;
    const { name } = takeWords(context, 'name');
    const naming = await namingOf(config, store);
    const told = await storyOf(store.read, store, name, naming);
    if (told === null) throw new Refused(UNKNOWN);
    if (options.reason === null && !options.yes)
      return { data: dataOf(told), lines: [...describe(told.story), verdict(told)] };
    const reason = readReason(context);
    await refuseRestored(store);
    const command = { name: 'resolve', arguments: [name, '--reason', reason], who };
    const resolution = await resolveHeld(store, name, { ...naming, command, nowMs });
    return { data: { ...dataOf(told), resolution }, lines: [...describe(told.story), say(resolution)] };
  },
};

function dataOf({ story, unproven }: Told) {
  const { doubts } = story;
  if (story.kind === 'payout') return { payout: shownTransfer(story.payout), doubts, unproven };
  const { inbound, paid, left } = story;
  return { inbound, paidMicroUsdc: paid, left: left.map(shownTransfer), doubts, unproven };
}

function readReason({ options: { reason, yes } }: CommandContext): string {
  if (reason === null || reason.trim() === '' || !yes)
    throw new UsageError('It needs --reason, with your reason, and --yes.');
  return reason;
}

function describe(story: Story): string[] {
  const doubts = story.doubts.map(
    ({ fact, network, amountMicroUsdc, toAddress, seenAtMs, consumedBy }) =>
      `  ${timeText(seenAtMs)}  its payer got ${usdcText(amountMicroUsdc)} on ${network} at ${shownAddress(toAddress)}: ${fact}, booked as ${consumedBy ?? 'nothing'}`,
  );
  if (story.kind === 'payout') {
    const { id, network, purpose, amountMicroUsdc, toAddress, createdAtMs } = story.payout;
    const what = purpose.replace('_', ' ');
    const head = `${id}: ${what} of ${usdcText(amountMicroUsdc)} on ${network} to ${shownAddress(toAddress)}, since ${timeText(createdAtMs)}`;
    return [head, ...doubts];
  }
  const { fact, network, amountMicroUsdc, fromAddress, seenAtMs } = story.inbound;
  const left = story.left.map(
    (transfer) =>
      `  ${usdcText(transfer.amountMicroUsdc)} on ${transfer.network} to ${shownAddress(transfer.toAddress)}: ${transfer.purpose} ${transfer.id}, ${transfer.status}`,
  );
  const head = `${fact}: ${usdcText(amountMicroUsdc)} on ${network} from ${shownAddress(fromAddress)}, ${timeText(seenAtMs)}; paid out ${usdcText(story.paid)}`;
  return [head, ...left, ...doubts];
}

function verdict({ story, unproven }: Told): string {
  if (unproven !== null) return unprovenText(unproven);
  const what =
    story.kind === 'payout'
      ? 'Nothing has left for it: with --reason and --yes it goes out.'
      : `With --reason and --yes ${usdcText(story.inbound.amountMicroUsdc - story.paid)} go back to where they came from.`;
  return `Proven by books and chain. ${what}`;
}

function say(resolution: Resolution): string {
  switch (resolution.kind) {
    case 'unknown':
    case 'taken':
      throw new Refused(UNKNOWN);
    case 'unproven':
      throw new Refused(unprovenText(resolution.unproven));
    case 'released':
      return `Released ${usdcText(resolution.amountMicroUsdc)}. The worker sends it.`;
    case 'returned':
      return `${usdcText(resolution.amountMicroUsdc)} go back with the next payout to their sender.`;
  }
}

function unprovenText(unproven: Unproven): string {
  switch (unproven.why) {
    case 'unexplained':
      return `Not proven: a transfer that left us is in no book yet (${unproven.facts.join(', ')}).`;
    case 'own-name':
      return `Not proven: the chain has a transfer of its very name (${unproven.facts.join(', ')}), so it was paid already, or never can be under this name.`;
    case 'booked-for-nothing':
      return `Not proven: its payer got ${unproven.facts.join(', ')}, which is booked for nothing and may have given back just this.`;
    case 'too-new':
      return 'Not proven yet: what another installation signed for it may still land. Try again in an hour.';
  }
}
