import type { pageEn } from './en.ts';

export const pageDe: typeof pageEn = {
  title: 'pennypost-Chat',
  heading: 'Schick Geld an alle, unter dem Namen, den sie schon haben',
  intro:
    'Schreib einen Namen und einen Betrag. Das geht auch, wenn jemand noch nie von uns gehört hat: Das Geld wartet.',
  skip: 'Zu deiner Nachricht springen',
  tryIt: 'Ausprobieren',
  names: 'Ein Name auf X, Farcaster oder GitHub, eine E-Mail-Adresse oder eine Website.',
  conversation: 'Unterhaltung',
  composer: 'Deine Nachricht',
  placeholder: '/tip @x:alice 1',
  send: 'Senden',
  commands: 'Befehle',
  connecting: 'Verbinde…',
  reconnecting: 'Verbindung verloren. Verbinde neu…',
  sending: 'Sende…',
  notSent: 'Noch nicht gesendet. Ich versuche es weiter…',
  refused: 'Das konnte nicht gesendet werden.',
  tooFast: 'Das war etwas schnell. Warte ein paar Sekunden.',
  you: 'Du',
  bot: 'pennypost',
  noScript: 'Dieser Chat braucht JavaScript. Die Belege brauchen es nicht.',
};
