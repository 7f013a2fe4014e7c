import type { TakeBackTexts } from './en.ts';

export const takeBackDe: TakeBackTexts = {
  link: 'Das habe ich gesendet: zurücknehmen',
  title: 'Zurücknehmen',
  lead: 'Solange es niemand abgeholt hat, kann die Person, die es gesendet hat, es zurücknehmen. Es geht dorthin zurück, woher es kam, und sonst nirgendwohin.',
  notByLink: 'Diese Seite allein bewegt nichts: Es braucht die Stelle, von der das Geld gesendet wurde.',
  chatTitle: 'Aus einem Chat gesendet',
  chatNote: (button) => `Drück in diesem Chat unter deinem Trinkgeld auf „${button}“.`,
  purseTitle: 'Aus hier aufbewahrtem Geld gesendet',
  purseNote: 'Öffne dein Geld und dort die Zahlung.',
  seeMoney: 'Mein Geld ansehen',
  walletTitle: 'Mit einer eigenen Wallet bezahlt',
  walletNote: 'Unterschreibe mit der Wallet, die bezahlt hat. Das kostet nichts.',
  noWallet:
    'In diesem Browser ist keine Wallet. Öffne diese Seite in der App deiner Wallet oder in einem Browser, der eine hat.',
  needsScript: 'Wallets lassen sich nur fragen, wo JavaScript eingeschaltet ist.',
  withWallet: (wallet) => `Mit ${wallet} zurücknehmen`,
  asks: 'Deine Wallet fragt dich jetzt.',
  refused: 'Deine Wallet hat nicht unterschrieben; es hat sich nichts geändert.',
  otherChain: 'Deine Wallet konnte nicht zum richtigen Netzwerk wechseln; es hat sich nichts geändert.',
  notYours: 'Das ist nicht die Wallet, die bezahlt hat. Es hat sich nichts geändert.',
  beingCollected: (minutes) =>
    `Die Person, für die es ist, holt es gerade ab. Wenn sie das nicht beendet, kannst du es spätestens nach ${minutes} Minuten zurücknehmen.`,
  failed:
    'Das hat nicht geklappt, und noch kann niemand sagen, ob es zurückgenommen wurde. Sieh die Zahlung an und versuch es noch einmal, wenn sie noch wartet.',
  over: 'Es lässt sich nicht mehr zurücknehmen.',
  toLetter: 'Die Zahlung ansehen',
};
