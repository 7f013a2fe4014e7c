import type { DiscordWords } from './words.ts';

export const wordsDe: DiscordWords = {
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
    unlock: { description: 'Erlaube Ausgaben wieder, nach 24 Stunden', options: {} },
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
    privacy: { description: 'Sieh, was ich über dich weiß, und lösche es', options: {} },
    help: {
      description: 'Sieh, was ich kann',
      options: { command: ['befehl', 'Ein Befehl im Einzelnen'] },
    },
  },
  menu: 'Trinkgeld geben',
  form: { title: (name) => `Trinkgeld für ${name}`, amount: 'Betrag in USDC', amountExample: '1', note: 'Notiz' },
  tooFast: 'Das war viel auf einmal. Gib mir eine Minute und versuch es dann noch einmal.',
};
