import type { TelegramTexts } from './en.ts';

export const telegramDe: TelegramTexts = {
  answeredPrivately: () => 'Ich habe dir in unserem privaten Chat geantwortet.',
  openPrivately: () => 'Das ist nur für dich. Öffne unseren privaten Chat und drück auf Start: Dort steht es.',
  openChat: () => 'Unseren Chat öffnen',
  tooFast: () =>
    'Das war viel auf einmal, und das Letzte habe ich nicht getan. Gib mir eine Minute und versuch es dann noch einmal.',
  tooLate: () =>
    'Ich war nicht da, als du das geschrieben hast, und habe nichts getan. Schick es noch einmal, wenn du es noch willst.',
  anonymous: () =>
    'Du schreibst im Namen der Gruppe, deshalb sehe ich nicht, wer du bist. Schalte „Anonym bleiben“ aus und versuch es noch einmal.',

  commands: {
    tip: 'Geld senden: /tip @alice 1',
    pay: 'Geld aus jeder Wallet oder App senden: /pay x:alice 1',
    request: 'Jemanden um Geld bitten: /request @name 5 lunch',
    drop: 'Einen Betrag unter allen verteilen, die rechtzeitig drücken',
    top: 'Sehen, wer hier den meisten verschiedenen Leuten dankt',
    balance: 'Was du hast',
    deposit: 'Geld einzahlen',
    withdraw: 'Geld an eine Adresse von dir senden',
    wallet: 'Wählen, womit du zahlst',
    limits: 'Wie viel deine Trinkgelder ausgeben dürfen',
    lock: 'Alle Ausgaben sperren',
    unlock: 'Ausgaben wieder erlauben',
    history: 'Was du gesendet hast',
    claim: 'Abholen, was auf dich wartet',
    link: 'Einen anderen Namen von dir nachweisen',
    block: 'Von jemandem nichts mehr bekommen',
    privacy: 'Was ich über dich weiß',
    language: 'Welche Sprache ich spreche',
    help: 'So funktioniert es',
    treasury: 'Das Geld dieser Gruppe',
    reward: 'Belohnen, wer auf einen Beitrag auf Farcaster reagiert hat',
    settings: 'Was in dieser Gruppe für Zahlungen gilt',
  },
};
