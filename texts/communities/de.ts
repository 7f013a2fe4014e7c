import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { settingsEn } from './en.ts';
import { KNOWN_ANSWERS, KNOWN_DAYS, PLACES_MAX, SMALL_REWARD } from '../rules/rules.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const listed = (names: readonly string[], more: number): Span =>
  strong(more === 0 ? names.join(', ') : `${names.join(', ')} und ${more} weiteren`);

const RECEIPTS: Record<ReceiptStyle, Paragraph> = {
  message: line`Belege: eine ${strong('Nachricht')} pro Trinkgeld`,
  reaction: line`Belege: eine ${strong('Reaktion')} auf das Trinkgeld`,
  none: line`Belege: öffentlich ${strong('keine')}`,
};

export const settingsDe: typeof settingsEn = {
  settingsTitle: () => line`Was hier für Trinkgelder gilt, und wie du es änderst:`,
  settingsChanged: () => line`Erledigt. Ab jetzt gilt:`,
  settingsElsewhere: () =>
    line`Schreib ${code('/settings')} in dem Server oder der Gruppe, um die es geht. Hier sind wir allein.`,
  settingsForModerators: () => line`Das dürfen nur die, die hier moderieren.`,

  setting: (fact) => {
    switch (fact.setting) {
      case 'channels':
        if (fact.names.length === 0) return line`Trinkgelder: hier ${strong('überall')}`;
        return line`Trinkgelder: nur in ${listed(fact.names, fact.more)}`;
      case 'min':
        return fact.amount === null
          ? line`Mindestens: ${strong('beliebig wenig')}`
          : line`Mindestens: ${usdc(fact.amount)}`;
      case 'max':
        return fact.amount === null
          ? line`Höchstens: ${strong('beliebig viel')}`
          : line`Höchstens: ${usdc(fact.amount)}`;
      case 'cooldown':
        if (fact.time === null) return line`Zwischen zwei Trinkgeldern einer Person: ${strong('keine Wartezeit')}`;
        return line`Zwischen zwei Trinkgeldern einer Person: ${strong(fact.time)}`;
      case 'receipts':
        return RECEIPTS[fact.style];
      case 'notes':
        return fact.isOn ? line`Notizen: ${strong('erlaubt')}` : line`Notizen: ${strong('nicht erlaubt')}`;
      case 'language':
        return fact.name === null
          ? line`Was ich hier allen sage: in ${strong('der Sprache der Person, die mir schreibt')}`
          : line`Was ich hier allen sage: auf ${strong(fact.name)}`;
      case 'lifetime':
        if (fact.time === null) return line`Meine Nachrichten: ${strong('bleiben')}`;
        return line`Meine Nachrichten: nach ${strong(fact.time)} gelöscht`;
      case 'log':
        return fact.name === null
          ? line`Protokoll der Trinkgelder: ${strong('keines')}`
          : line`Protokoll der Trinkgelder: ${strong(fact.name)}`;
      case 'role':
        if (!fact.hasRoles) return line`Belohnungen bestätigen die Admins dieser Gruppe.`;
        if (fact.name === null) return line`Belohnungen bestätigen: ${strong('wer moderiert')}`;
        return line`Belohnungen bestätigen: wer moderiert, und ${strong(fact.name)}`;
      case 'drops':
        if (!fact.hasRoles)
          return line`Verteilt wird an alle, die seit ${KNOWN_DAYS} Tagen hier sind und ${KNOWN_ANSWERS} beantwortete Nachrichten haben.`;
        return fact.name === null
          ? line`Verteilt wird an: ${strong('noch niemanden')}`
          : line`Verteilt wird an: ${strong(fact.name)}`;
      case 'quorum':
        return line`Belohnungen über ${SMALL_REWARD} USDC bestätigen so viele: ${strong(String(fact.count))}`;
      case 'ban':
        return line`Vom Trinkgeldgeben ausgeschlossen: ${strong(String(fact.count))}`;
    }
  },

  settingsProblem: (problem) => {
    switch (problem.code) {
      case 'min_above_max':
        return line`Dann wäre ein Trinkgeld mindestens ${usdc(problem.min)} und höchstens ${usdc(problem.max)}, und niemand könnte eines geben:`;
      case 'everywhere_already':
        return line`Trinkgelder sind hier überall erlaubt. Sollen sie nur an manche Orte, dann schreib an jedem davon:`;
      case 'too_many_channels':
        return line`Das wären mehr als ${strong(PLACES_MAX)} Orte.`;
      case 'role_of_all':
        return line`Diese Rolle haben alle, und wer sie hat, könnte die Belohnungen ausgeben. Wähl eine andere:`;
      case 'drops_for_all':
        return line`Diese Rolle haben alle, und Neulinge würden die Anteile nehmen. Wähl eine, die man sich verdient:`;
      case 'not_owner':
        return line`Nur der Eigentümer dieses Servers kann sagen, wer Belohnungen bestätigt und wie viele.`;
    }
  },
  banned: (name) =>
    line`${strong(name)} kann hier kein Trinkgeld mehr geben und hat davon nichts erfahren. Das Geld bleibt, wem es gehört.`,
  unbanned: (name) => line`${strong(name)} kann hier wieder Trinkgeld geben.`,
  wasNotBanned: (name) => line`${strong(name)} war hier nicht ausgeschlossen.`,
  noSelfBan: () => line`Das bist du selbst. Erwähn jemand anderen:`,

  ruleProblem: (problem, wait) => {
    switch (problem.code) {
      case 'banned':
        return line`Wer hier moderiert, lässt dich kein Trinkgeld geben. Dein Geld bleibt deins: ${code('/balance')}, ${code('/withdraw')}.`;
      case 'other_channel':
        return line`Hier ist kein Ort für Trinkgelder. Sie gehören nach ${listed(problem.names, problem.more)}.`;
      case 'no_notes':
        return line`Trinkgelder sind hier ohne Notiz:`;
      case 'below_min':
        return line`Ein Trinkgeld ist hier mindestens ${usdc(problem.limit)} pro Person:`;
      case 'above_max':
        return line`Ein Trinkgeld ist hier höchstens ${usdc(problem.limit)} pro Person:`;
      case 'too_soon':
        return line`Zwischen zwei Trinkgeldern vergeht hier etwas Zeit. Dein nächstes kannst du in ${strong(wait)} senden.`;
    }
  },
};
