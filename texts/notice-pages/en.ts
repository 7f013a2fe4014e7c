/** Words of the pages that links in mails lead to. A language is a file like this one with the same shape. */
export const noticePageEn = {
  eyebrow: 'Mails',
  stopTitle: 'No more mails about money?',
  stopDescription: 'One click, and we write no more.',
  stopLead: 'We will never again write to you that money waits for you.',
  stopButton: 'Write no more',
  stopHint:
    'Money that is sent to you can still be collected. What you do not collect goes back to where it came from.',
  stoppedTitle: 'We write no more',
  stoppedDescription: 'There will be no more mails about money that waits.',
  stoppedLead: 'From now on there will be no more mails about money that waits for you.',
  stoppedNote:
    'Only what you ask for yourself still reaches you, such as a code when you collect money, and a word when something is about to change with your money.',
  holdTitle: 'Stop it?',
  holdLead: 'Everything that is about to change with this money is stopped.',
  holdNote: 'Whoever came in and may not send yet is out, new passkeys go, and what was to be taken out stays.',
  holdButton: 'Stop it',
  heldTitle: 'It is stopped',
  heldNote:
    'Nothing changes any more, and the money is where it was. If someone else can read your mail, change its password.',
  overTitle: 'This link is over',
  overNote: 'What it was about has happened, or was stopped. Sign in to see your money.',
  seePurse: 'See your money',
};

export type NoticePageTexts = typeof noticePageEn;
