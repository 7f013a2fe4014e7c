import type { SettingsWords } from './settings-words.ts';

export const settingsWordsDe: SettingsWords = {
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
    lifetime: 'Wann ich meine Nachrichten lösche: 1h · off',
    log: 'Führe in diesem Kanal ein Protokoll aller Trinkgelder',
    role: 'Wer außer dir Belohnungen bestätigen darf; leer für niemanden',
    quorum: 'Für den Eigentümer: wie viele eine Belohnung über 10 USDC bestätigen',
  },
  values: { choice: 'Wähle eines', text: 'Ein Wert wie oben, oder off', user: 'Wer', role: 'Welche Rolle' },
};
