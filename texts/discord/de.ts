import type { DiscordTexts } from './words.ts';
import {
  DROP_EXAMPLE,
  REWARD_DEFAULT,
  SMALL_REWARD,
  SPENDING_WAIT_HOURS,
  TREASURY_WAIT_HOURS,
} from '../rules/rules.ts';

export const discordDe: DiscordTexts = {
  commands: {
    tip: {
      description: 'Sende USDC an alle, unter dem Namen, den sie schon haben',
      options: {
        amount: ['betrag', '1 · 0,5 · 50c · half (die Hälfte) · all (alles)'],
        user: ['person', 'Jemand auf Discord'],
        to: ['an', 'Oder ein Name anderswo: x:alice · github:alice · alice@example.com'],
        note: ['notiz', 'Ein paar Worte dazu'],
      },
    },
    pay: { description: 'USDC mit einem Link senden: aus jeder Wallet oder App', options: {} },
    request: {
      description: 'Jemanden um Geld bitten; nur diese Person kann zahlen',
      options: {
        amount: ['betrag', '5 · on (andere dürfen dich fragen) · off'],
        user: ['person', 'Wen du fragst'],
        to: ['an', 'Für eine Rechnung: weitere Mitglieder, und split nach dem Betrag'],
        note: ['notiz', 'Wofür, in wenigen Worten'],
      },
    },
    balance: { description: 'Sieh, was du hast', options: {} },
    deposit: { description: 'Zahle Geld auf dein Wallet ein', options: {} },
    withdraw: {
      description: 'Sende dein Geld an eine eigene Adresse',
      options: {
        amount: ['betrag', '5 · half (die Hälfte) · all (alles)'],
        address: ['adresse', 'Wohin es gehen soll'],
      },
    },
    wallet: { description: 'Wähle, woraus du bezahlst', options: {} },
    limits: {
      description: 'Sieh und ändere, wie viel deine Trinkgelder ausgeben dürfen',
      options: { change: ['aenderung', 'tip 5 · ask 1 · day 20 · cancel (nichts erhöhen)'] },
    },
    lock: { description: 'Sperre alle Ausgaben aus deinen Wallets', options: {} },
    unlock: { description: `Erlaube Ausgaben wieder, nach ${SPENDING_WAIT_HOURS} Stunden`, options: {} },
    history: { description: 'Sieh, was du gesendet hast', options: {} },
    claim: {
      description: 'Hole ab, was auf dich wartet',
      options: { name: ['name', 'Ein anderer Name von dir, etwa x:alice'] },
    },
    link: {
      description: 'Empfange, was an einen anderen Namen von dir geht',
      options: { name: ['name', 'Etwa x:alice'] },
    },
    language: {
      description: 'Wähle, welche Sprache ich spreche',
      options: { language: ['sprache', 'en · es · de · pt · ja · app'] },
    },
    block: { description: 'Sieh, wer dir etwas geschickt hat, und blockiere sie', options: {} },
    privacy: { description: 'Sieh, was ich über dich weiß, und lösche es', options: {} },
    help: {
      description: 'Sieh, was ich kann',
      options: { command: ['befehl', 'Ein Befehl im Einzelnen'] },
    },
  },
  menu: 'Trinkgeld geben',
  form: { title: (name) => `Trinkgeld für ${name}`, amount: 'Betrag in USDC', amountExample: '1', note: 'Notiz' },
  tooFast: 'Das war viel auf einmal. Gib mir eine Minute und versuch es dann noch einmal.',
  settings: {
    description: 'Bestimme, wie Trinkgelder auf diesem Server funktionieren',
    settings: {
      show: 'Sieh nach, was eingestellt ist und wie du es änderst',
      channels: 'Erlaube Trinkgelder in diesem Kanal, hier nicht mehr oder in allen Kanälen',
      min: 'Der kleinste Betrag: 0.5 · off',
      max: 'Der größte Betrag: 5 · off',
      cooldown: 'Wie lange jemand zwischen zwei Trinkgeldern wartet: 30s · 5m · off',
      ban: 'Lass jemanden hier nichts mehr senden',
      unban: 'Lass jemanden wieder senden',
      receipts: 'Wie ich zeige, dass etwas bezahlt wurde',
      notes: 'Ob ein Trinkgeld eine Notiz haben darf',
      language: 'Die Sprache dessen, was hier alle lesen; was jemand allein liest, bleibt in der eigenen',
      lifetime: 'Wann ich meine Nachrichten lösche: 1h · off',
      log: 'Führe in diesem Kanal ein Protokoll aller Trinkgelder',
      role: 'Wer außer dir Belohnungen bestätigen darf; leer für niemanden',
      drops: 'Wer beim Verteilen mitmachen darf; leer für niemanden',
      quorum: `Für den Eigentümer: wie viele eine Belohnung über ${SMALL_REWARD} USDC bestätigen`,
    },
    values: { choice: 'Wähle eines', text: 'Ein Wert wie oben, oder off', user: 'Wer', role: 'Welche Rolle' },
  },
  treasury: {
    description: 'Das Geld dieser Gemeinschaft',
    steps: {
      balance: 'Was da ist, und wohin es gehen kann',
      deposit: 'Etwas einzahlen',
      give: 'Gib dieser Community etwas von deinem Geld',
      statement: 'Was kam und was ging',
      address: `Für den Eigentümer: wohin Auszahlungen gehen, nach ${TREASURY_WAIT_HOURS} Stunden`,
      withdraw: 'Für die Moderation: die anderen um eine Auszahlung bitten',
    },
    address: '0x… auf Base, jede andere auf Solana; off base beendet sie',
    amount: '5 · half (die Hälfte) · all (alles)',
    network: 'Wo es liegt, wenn es auf beiden liegt',
  },
  reward: {
    description: 'Für die Moderation: alle belohnen, die auf einen Beitrag auf Farcaster reagiert haben',
    post: 'Der Link zum Beitrag',
    budget: `Wie viel aufgeteilt wird, in USDC; leer: ${REWARD_DEFAULT}`,
    without: 'Namen auf Farcaster, die nichts bekommen; allein: lässt sie aus der offenen Karte aus',
  },
  drop: {
    description: 'Einen Betrag unter allen verteilen, die rechtzeitig drücken',
    amount: 'Wie viel: 5',
    people: 'Für wie viele Leute: 10',
    time: `Wie lange: ${DROP_EXAMPLE.time}`,
    from: 'treasury: aus der Kasse der Gemeinschaft',
    without: 'Namen, die du von deiner Liste streichst',
  },
  top: {
    description: 'Sehen, wer hier den meisten verschiedenen Leuten dankt',
    choice: 'on · off (ob du dort stehst)',
  },
};
