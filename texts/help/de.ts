import { code, line, type Paragraph } from '../../core/view.ts';
import type { HelpFacts, HelpTopic, helpEn } from './en.ts';
import { DROP_EXAMPLE, SPENDING_WAIT_HOURS, TIP_MAX, TIP_MIN } from '../rules/rules.ts';

const days = (days: number): string => (days === 1 ? '1 Tag' : `${days} Tage`);

const topics = ({ claimDays, historyMax }: HelpFacts): Record<HelpTopic, Paragraph[]> => ({
  tip: [
    line`${code('/tip @x:alice 1 danke')}: ein Name, ein Betrag von ${TIP_MIN} bis ${TIP_MAX} USDC und, wenn du magst, eine Notiz.`,
    line`Mehrere Namen: ${code('/tip x:alice github:bob 1')} gibt jedem 1, ${code('/tip x:alice github:bob 3 split')} teilt 3 auf. Ich zeige die Summe, bevor etwas gesendet wird.`,
    line`Namen: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} oder ein Link zu einem Profil.`,
    line`Wer keine Wallet hat, kann es ${days(claimDays)} lang abholen. Danach kommt es zu dir zurück.`,
  ],
  pay: [
    line`${code('/pay @x:alice 1')} ist ein Trinkgeld aus einer anderen Wallet oder App: Ich gebe dir einen Link, und wer ihn öffnet, kann zahlen.`,
  ],
  request: [
    line`${code('/request @name 5 lunch')} bittet jemanden aus der Gruppe um Geld; nur diese Person kann zahlen. Mit ${code('/request on')} darf man dich fragen, mit ${code('/request off')} niemand.`,
  ],
  drop: [
    line`${code(DROP_EXAMPLE.command)} verteilt ${DROP_EXAMPLE.sum} USDC an alle in der Gruppe, die rechtzeitig drücken. Vor dem Zahlen siehst du die Liste und kannst Namen streichen.`,
  ],
  top: [
    line`${code('/top')} zeigt, wer in einer Gruppe den meisten verschiedenen Leuten gedankt hat, von allen, die ${code('/top on')} geschrieben haben. Beträge zählen nie.`,
  ],
  balance: [line`${code('/balance')} zeigt, was du hier hast, in jedem Netzwerk.`],
  deposit: [
    line`${code('/deposit')} zeigt deine eigenen Adressen hier. Was du dorthin sendest, kannst du innerhalb einer Minute als Trinkgeld geben.`,
  ],
  wallet: [line`${code('/wallet')} zeigt, womit du zahlen kannst, und lässt dich wählen.`],
  withdraw: [
    line`${code('/withdraw 5 0x…')} sendet 5 USDC an eine Adresse von dir, ${code('/withdraw all 0x…')} alles. Ich zeige dir alles, bevor ich es sende.`,
  ],
  limits: [
    line`${code('/limits')} zeigt, was deine Trinkgelder ausgeben dürfen: für eine Person, ohne dich zu fragen, und an einem Tag. ${code('/limits day 20')} ändert es, in unserem direkten Chat. Weniger gilt sofort, mehr nach ${SPENDING_WAIT_HOURS} Stunden.`,
  ],
  lock: [
    line`${code('/lock')} sperrt sofort alle Ausgaben aus deinen Wallets, in jedem Chat. ${code('/withdraw')} geht weiterhin.`,
  ],
  unlock: [
    line`${code('/unlock')} erlaubt Ausgaben wieder, nach ${SPENDING_WAIT_HOURS} Stunden, damit es niemand anders unbemerkt tun kann.`,
  ],
  history: [
    line`${code('/history')} zeigt die letzten ${String(historyMax)} Trinkgelder, die du gesendet hast, und was daraus wurde, und alle als CSV-Datei.`,
  ],
  claim: [
    line`${code('/claim')} zeigt, was auf dich wartet. ${code('/claim x:alice')} öffnet die Seite, auf der dieser Name abholt.`,
  ],
  link: [
    line`${code('/link x:alice')} sagt, wie Geld, das an diesen Namen von dir geht, in deiner Wallet hier ankommt.`,
  ],
  language: [line`Mit ${code('/language')} wählst du, welche Sprache ich mit dir spreche.`],
  block: [
    line`${code('/block')} zeigt, wer dir zuletzt etwas geschickt hat, und lässt von ihnen nichts mehr durch. Sie erfahren es nicht, und was noch wartet, geht zurück.`,
  ],
  privacy: [
    line`${code('/privacy')} gibt dir, was ich über dich weiß, löscht es, oder lehnt jedes Trinkgeld an dich ab.`,
  ],
  settings: [
    line`${code('/settings')} zeigt denen, die hier moderieren, was für Trinkgelder gilt, und wie sie es ändern.`,
  ],
  reward: [
    line`${code('/reward https://farcaster.xyz/alice/0x0123abcd 5')} zeigt der Moderation, wie 5 USDC aus der Kasse unter allen aufgeteilt würden, die auf den Beitrag reagiert haben, und bittet um Bestätigung. ${code('/reward without bob')} lässt jemanden aus.`,
  ],
  treasury: [
    line`${code('/treasury')} zeigt, was ein Server oder eine Gruppe für Belohnungen hat, wie man einzahlt und wie es hinausgeht.`,
  ],
});

export const helpDe: typeof helpEn = {
  help: (isPlayMoney) => [
    line`Schick ${TIP_MIN} bis ${TIP_MAX} USDC an alle, unter dem Namen, den sie schon haben.`,
    line`${code('/tip @x:alice 1')} sendet 1 USDC an alice auf X. Was du dahinter schreibst, wird eine Notiz.`,
    line`Diese Namen gehen: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} oder ein Link zu einem Profil.`,
    line`Beträge: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (die Hälfte), ${code('all')} (alles).`,
    line`${code('/balance')} zeigt, was du hast, ${code('/deposit')}, wie du ${isPlayMoney ? 'mehr Spielgeld bekommst' : 'Geld einzahlst'}, und ${code('/wallet')}, was du abgeholt hast und hier aufbewahrst.`,
    line`${code('/withdraw')} schickt es an eine Adresse von dir.`,
  ],
  unknown: () => line`Das habe ich nicht verstanden. Das kann ich:`,
  helpOn: (topic, facts) => topics(facts)[topic],
  moreHelp: () => line`${code('/help tip')} sagt mehr über einen Befehl. Es gibt auch:`,
};
