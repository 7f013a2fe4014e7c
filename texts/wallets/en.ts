import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import { nameForPayer } from '../names/person.ts';
import { WITHOUT_PASSKEY_HOURS } from '../rules/rules.ts';

/** What lies where; null where nobody knows just now. */
export type PlaceFacts = { place: string; amount: MicroUsdc | null };
/** `name`: what the wallet was kept as; null for the chat's own. */
export type WalletFacts = { name: string | null; places: readonly PlaceFacts[] };
export type AddressFacts = { place: string; address: string };

/**
 * Those who were let into a wallet and may not spend from it yet; `at`: when the first of them may. `isGuarded`: a passkey of it
 * counts by then.
 */
export type NewcomerFacts = { name: string | null; count: number; at: Date; isGuarded: boolean };

/** A passkey of a wallet that counts only from then on, or only until then. */
export type PasskeyFacts = { name: string | null; change: 'added' | 'ends'; at: Date };

const times = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const ownWallet = 'this chat’s own wallet';
const sumOf = (places: readonly PlaceFacts[]): MicroUsdc => sumUsdc(places.flatMap(({ amount }) => amount ?? []));

/** `10.00 on Base and 2.50 on Solana`: only what is there. */
function listPlaces(places: readonly PlaceFacts[]): string {
  return filled(places)
    .map(({ place, amount }) => `${people(amount)} on ${place}`)
    .join(' and ');
}

function filled(places: readonly PlaceFacts[]): { place: string; amount: MicroUsdc }[] {
  return places.flatMap(({ place, amount }) => (amount === null || amount === 0n ? [] : [{ place, amount }]));
}

/** Where it lies needs to be said only where there is more than one place. */
function where(places: readonly PlaceFacts[]): string {
  const [first, ...others] = filled(places);
  if (places.length === 1 || first === undefined) return '';
  return others.length === 0 ? `, on ${first.place}` : `: ${listPlaces(places)}`;
}

function unknownPlaces(places: readonly PlaceFacts[]): string {
  const silent = places.filter(({ amount }) => amount === null).map(({ place }) => place);
  return silent.length === 0
    ? ''
    : ` I can’t reach ${silent.join(' and ')} right now, so what is there is not counted.`;
}

/** Everything about wallets and what lies in them. */
export const walletsEn = {
  balance: ({ name, places }: WalletFacts, isPlayMoney: boolean): Paragraph => {
    const unknown = unknownPlaces(places);
    if (sumOf(places) === 0n && name === null) {
      return line`You have no money here yet. ${code('/deposit')} shows how to add some.${unknown}`;
    }
    if (sumOf(places) === 0n)
      return line`Nothing is left of what you kept as ${strong(nameForPayer(name ?? '', 'en'))}.${unknown}`;
    const kept = name === null ? '' : ` in what you kept as ${nameForPayer(name, 'en')}`;
    const kind = isPlayMoney ? ' of play money' : '';
    return line`You have ${usdc(sumOf(places))}${kind}${kept}${where(places)}.${unknown}`;
  },
  /** None when it all lies in one place. */
  inSeveralPlaces: (places: readonly PlaceFacts[]): Paragraph[] =>
    filled(places).length < 2 ? [] : [line`A tip is paid from one network, and you have ${listPlaces(places)}.`],
  waits: (amount: MicroUsdc, isAll: boolean): Paragraph =>
    line`${usdc(amount)} ${isAll ? 'waits for you, and nothing else is here to spend yet' : 'more waits for you'}. ${code('/claim')} collects it.`,
  soFar: (received: MicroUsdc, sent: MicroUsdc): Paragraph =>
    line`So far you have received ${people(received)} and sent ${people(sent)} USDC.`,

  addressesOf: (name: string): Paragraph =>
    line`Your tips are paid from what you kept as ${strong(nameForPayer(name, 'en'))}.`,
  playDeposit: (addresses: readonly AddressFacts[]): Paragraph[] => [
    ...addresses.flatMap(({ place, address }) => [
      line`Play money of yours lives at this address, on a copy of ${place} that runs on this computer:`,
      line`${code(address)}`,
    ]),
    line`Never send real money to ${addresses.length > 1 ? 'them' : 'it'}: nobody could bring it back.`,
  ],
  deposit: (addresses: readonly AddressFacts[]): Paragraph[] => {
    const only = addresses.length > 1 ? 'each only on its network' : `only on ${addresses[0]?.place ?? ''}`;
    return [
      ...addresses.flatMap(({ place, address }, index) => [
        index === 0
          ? line`To add money, send ${strong(`USDC on ${place}`)} to your address:`
          : line`Or send ${strong(`USDC on ${place}`)} to this one:`,
        line`${code(address)}`,
      ]),
      line`It shows up in ${code('/balance')} within a minute. Only USDC, and ${only}: anything else could be lost.`,
    ];
  },
  showQrCode: (): string => 'Show as a QR code',

  wallets: (): Paragraph => line`You can pay from these:`,
  wallet: ({ name, places }: WalletFacts, isPaying: boolean): Paragraph => {
    const held = places.every(({ amount }) => amount === null) ? '?' : people(sumOf(places));
    return line`${strong(nameForPayer(name ?? 'This chat’s own wallet', 'en'))}: ${held} USDC${where(places)}${isPaying ? ' (pays now)' : ''}`;
  },
  onlyWallet: (): Paragraph =>
    line`Money that you collect and keep here shows up in this list, and you can tip from it at once.`,
  payFrom: (name: string | null): string => `Pay from ${nameForPayer(name ?? ownWallet, 'en')}`,
  choseWallet: (name: string | null): Paragraph =>
    name === null
      ? line`From now on your tips are paid from ${ownWallet}.`
      : line`From now on your tips are paid from what you kept as ${strong(nameForPayer(name, 'en'))}.`,
  noSuchWallet: (): Paragraph => line`You can’t pay from that one any more. ${code('/wallet')} shows what you have.`,

  newcomers: ({ name, count, at, isGuarded }: NewcomerFacts): Paragraph =>
    isGuarded
      ? line`${count === 1 ? 'Someone signed in' : `${String(count)} others signed in`} to ${name === null ? ownWallet : strong(nameForPayer(name, 'en'))} from another place. From ${strong(`${times.format(at)} UTC`)} they can ask for a withdrawal, which without the passkey waits ${WITHOUT_PASSKEY_HOURS} hours more.`
      : line`${count === 1 ? 'Someone signed in' : `${String(count)} others signed in`} to ${name === null ? ownWallet : strong(nameForPayer(name, 'en'))} from another place. They can send or withdraw from ${strong(`${times.format(at)} UTC`)}.`,
  passkeyWaits: ({ name, change, at }: PasskeyFacts): Paragraph =>
    change === 'added'
      ? line`A passkey was added to ${name === null ? ownWallet : strong(nameForPayer(name, 'en'))}. Money leaves with it from ${strong(`${times.format(at)} UTC`)}.`
      : line`A passkey of ${name === null ? ownWallet : strong(nameForPayer(name, 'en'))} is to be removed. It counts until ${strong(`${times.format(at)} UTC`)}.`,
  endNewcomers: (name: string | null): string => `Not me: end it (${nameForPayer(name ?? ownWallet, 'en')})`,
  endedNewcomers: (count: number | null): Paragraph => {
    if (count === null) return line`Prove the name again first: ${code('/claim')}, then press the button once more.`;
    return count === 0
      ? line`There is nobody left to end: ${code('/wallet')} shows what you have.`
      : line`Done. Only those who could spend before can look at it now.`;
  },

  getPlayMoney: (): string => 'Get more play money',
  gettingPlayMoney: (): Paragraph => line`Getting you some play money…`,
  welcome: (amount: MicroUsdc): Paragraph => line`Welcome! You have ${usdc(amount)} of play money to send.`,
  gotPlayMoney: (amount: MicroUsdc): Paragraph => line`Done. You now have ${usdc(amount)} of play money.`,
  noPlayMoney: (): Paragraph => line`I couldn’t get you play money just now.`,
};
