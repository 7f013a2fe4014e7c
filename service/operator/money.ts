import { shownAddress } from '../../chain/shown-address.ts';
import { parseDecimalUsdc, ZERO_USDC } from '../../core/money.ts';
import { addressFamily, findNetworkName, isOf, NETWORKS } from '../../core/networks.ts';
import { recordAction } from '../../db/operator/actions.ts';
import { declareDepositAddress } from '../../db/scan/operator-deposits.ts';
import { withdraw } from '../../db/operator/withdraw.ts';
import { linkRecipient } from './addresses/link.ts';
import { readAddress } from './addresses/address.ts';
import { Refused, takeWords, UsageError, type CommandContext, type OperatorCommand } from './command.ts';
import { usdcText } from './text.ts';

export const depositFromCommand: OperatorCommand = {
  name: 'deposit-from',
  usage: '<network> <address>',
  help: 'declares an address as yours: what it sends to the treasury is float',
  run: async (context) => {
    const { store, nowMs } = context;
    const words = takeWords(context, 'network', 'address');
    const declared = readPlace(context, words);
    const isNew = await store.tx(async (db) => {
      const added = await declareDepositAddress(db, store.tables, declared, nowMs);
      const command = { name: 'deposit-from', arguments: [declared.network, declared.address], who: context.who };
      if (added) await recordAction(db, store.tables, command, { result: 'declared', nowMs });
      return added;
    });
    const data = { ...declared, isNew };
    if (!isNew) return { data, lines: ['It was declared before.'] };
    const lines = [
      `What ${shownAddress(declared.address)} sends to the treasury on ${declared.network} is your own money from now on, once it is final.`,
      'Declare only an address whose key is yours: an exchange sends for many people from one.',
    ];
    return { data, lines };
  },
};

export const withdrawCommand: OperatorCommand = {
  name: 'withdraw',
  usage: '<network> <address> <amount>',
  help: 'pays your own money out of float, such as: withdraw base 0x… 12.50',
  run: async (context) => {
    const { store, nowMs, newPayoutId } = context;
    const words = takeWords(context, 'network', 'address', 'amount');
    const { network, address: toAddress } = readPlace(context, words);
    const amount = parseDecimalUsdc(words.amount);
    if (amount === null || amount === ZERO_USDC) {
      throw new UsageError(`An amount is in USDC with at most six decimals, such as 12.50; found ${words.amount}.`);
    }
    const command = { name: 'withdraw', arguments: [network, toAddress, words.amount], who: context.who };
    const withdrawal = { network, toAddress, amountMicroUsdc: amount };
    const result = await withdraw(store, withdrawal, command, { newPayoutId, nowMs });
    switch (result.kind) {
      case 'queued':
        return {
          data: { ...withdrawal, payoutId: result.payoutId },
          lines: [
            `${usdcText(amount)} is on its way to ${shownAddress(toAddress)} as payout ${result.payoutId}; a running worker sends it.`,
          ],
        };
      case 'too-much':
        throw new Refused(
          `Only ${usdcText(result.availableMicroUsdc)} of float may be spent on ${network}. Nothing was changed.`,
        );
      case 'not-served':
        throw new Refused(`No worker serves ${network}: start one first. Nothing was changed.`);
    }
  },
};

export const linkCommand: OperatorCommand = {
  name: 'link',
  usage: '<recipient> <address>',
  help: 'says where a recipient’s money goes, such as: link x:alice 0x…',
  run: async (context) => {
    const { recipient: name, address } = takeWords(context, 'recipient', 'address');
    const linked = await linkRecipient(context.config, name, address, context.who);
    return { data: linked, lines: [linkedText(linked)] };
  },
};

export function linkedText({ recipient, address, payouts }: Awaited<ReturnType<typeof linkRecipient>>): string {
  const waiting = payouts === 1 ? '1 waiting payment is' : `${payouts} waiting payments are`;
  return `${recipient} is paid at ${shownAddress(address)} from now on; ${waiting} on the way.`;
}

/** The address must be on the named network. */
function readPlace({ config }: CommandContext, words: { network: string; address: string }) {
  const network = findNetworkName(words.network);
  if (network === null) throw new UsageError(`A network is ${NETWORKS.join(' or ')}; found ${words.network}.`);
  const family = addressFamily(words.address);
  if (family !== null && !isOf(family, network)) {
    const fits = NETWORKS.filter((one) => isOf(family, one)).join(' or ');
    throw new UsageError(`${words.address} is an address on ${fits}.`);
  }
  return readAddress(config, words.address, network);
}
