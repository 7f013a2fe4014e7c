import type { DiscordWords } from './words.ts';

export const wordsDe: DiscordWords = {
  commands: {
    tip: {
      name: 'trinkgeld',
      description: 'Sende USDC an alle, unter dem Namen, den sie schon haben',
      options: {
        amount: ['betrag', '1 · 0,5 · 50c · half (die Hälfte) · all (alles)'],
        user: ['person', 'Jemand auf Discord'],
        to: ['an', 'Oder ein Name anderswo: x:alice · github:alice · alice@example.com'],
        note: ['notiz', 'Ein paar Worte dazu'],
      },
    },
    balance: { name: 'guthaben', description: 'Sieh, was du hast', options: {} },
    deposit: { name: 'einzahlen', description: 'Zahle Geld auf dein Wallet ein', options: {} },
    withdraw: {
      name: 'auszahlen',
      description: 'Sende dein Geld an eine eigene Adresse',
      options: {
        amount: ['betrag', '5 · half (die Hälfte) · all (alles)'],
        address: ['adresse', 'Wohin es gehen soll'],
      },
    },
    wallet: { name: 'wallet', description: 'Wähle, woraus du bezahlst', options: {} },
    history: { name: 'verlauf', description: 'Sieh, was du gesendet hast', options: {} },
    claim: {
      name: 'abholen',
      description: 'Hole ab, was auf dich wartet',
      options: { name: ['name', 'Ein anderer Name von dir, etwa x:alice'] },
    },
    link: {
      name: 'verknüpfen',
      description: 'Empfange, was an einen anderen Namen von dir geht',
      options: { name: ['name', 'Etwa x:alice'] },
    },
    language: {
      name: 'sprache',
      description: 'Wähle, welche Sprache ich spreche',
      options: { language: ['sprache', 'en · es · de · pt · ja · app'] },
    },
    privacy: { name: 'datenschutz', description: 'Sieh, was ich über dich weiß, und lösche es', options: {} },
    help: {
      name: 'hilfe',
      description: 'Sieh, was ich kann',
      options: { command: ['befehl', 'Ein Befehl im Einzelnen'] },
    },
  },
  menu: 'Trinkgeld geben',
  form: { title: (name) => `Trinkgeld für ${name}`, amount: 'Betrag in USDC', amountExample: '1', note: 'Notiz' },
  tooFast: 'Das war viel auf einmal. Gib mir eine Minute und versuch es dann noch einmal.',
};
