import type { NoticePageTexts } from './en.ts';

export const noticePageDe: NoticePageTexts = {
  eyebrow: 'Mails',
  stopTitle: 'Keine Mails über Geld mehr?',
  stopDescription: 'Ein Klick, und wir schreiben nicht mehr.',
  stopLead: 'Wir schreiben dir nie wieder, dass Geld auf dich wartet.',
  stopButton: 'Nicht mehr schreiben',
  stopHint:
    'Geld, das dir gesendet wird, kannst du weiter abholen. Was du nicht abholst, geht dorthin zurück, woher es kam.',
  stoppedTitle: 'Wir schreiben nicht mehr',
  stoppedDescription: 'Es kommen keine Mails mehr über Geld, das wartet.',
  stoppedLead: 'Ab jetzt kommen keine Mails mehr über Geld, das auf dich wartet.',
  stoppedNote:
    'Dich erreicht nur noch, worum du selbst bittest, etwa ein Code beim Abholen, und ein Hinweis, wenn sich bei deinem Geld etwas ändern soll.',
  holdTitle: 'Aufhalten?',
  holdLead: 'Alles, was sich bei diesem Geld ändern soll, wird aufgehalten.',
  holdNote:
    'Wer hereinkam und noch nicht senden darf, ist draußen, neue Passkeys verschwinden, und was ausgezahlt werden sollte, bleibt.',
  holdButton: 'Aufhalten',
  heldTitle: 'Es ist aufgehalten',
  heldNote:
    'Es ändert sich nichts mehr, und das Geld ist, wo es war. Wenn jemand anderes deine Mails lesen kann, ändere das Passwort.',
  overTitle: 'Dieser Link gilt nicht mehr',
  overNote: 'Worum es ging, ist geschehen oder wurde aufgehalten. Melde dich an, um dein Geld zu sehen.',
  seePurse: 'Dein Geld ansehen',
};
