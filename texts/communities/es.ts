import type { ReceiptStyle } from '../../core/communities/community-settings.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { settingsEn } from './en.ts';
import { KNOWN_ANSWERS, KNOWN_DAYS, PLACES_MAX, SMALL_REWARD } from '../rules/rules.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const listed = (names: readonly string[], more: number): Span =>
  strong(more === 0 ? names.join(', ') : `${names.join(', ')} y ${more} más`);

const RECEIPTS: Record<ReceiptStyle, Paragraph> = {
  message: line`Recibos: un ${strong('mensaje')} por cada propina`,
  reaction: line`Recibos: una ${strong('reacción')} a la propina`,
  none: line`Recibos: en público ${strong('ninguno')}`,
};

export const settingsEs: typeof settingsEn = {
  settingsTitle: () => line`Lo que vale aquí para las propinas, y cómo cambiarlo:`,
  settingsChanged: () => line`Hecho. Desde ahora:`,
  settingsElsewhere: () =>
    line`Escribe ${code('/settings')} en el servidor o grupo del que se trata. Aquí estamos solos.`,
  settingsForModerators: () => line`Eso solo lo puede hacer quien modera aquí.`,

  setting: (fact) => {
    switch (fact.setting) {
      case 'channels':
        if (fact.names.length === 0) return line`Propinas: aquí ${strong('en todas partes')}`;
        return line`Propinas: solo en ${listed(fact.names, fact.more)}`;
      case 'min':
        return fact.amount === null
          ? line`Como mínimo: ${strong('cualquier cantidad')}`
          : line`Como mínimo: ${usdc(fact.amount)}`;
      case 'max':
        return fact.amount === null
          ? line`Como máximo: ${strong('cualquier cantidad')}`
          : line`Como máximo: ${usdc(fact.amount)}`;
      case 'cooldown':
        if (fact.time === null) return line`Entre dos propinas de una persona: ${strong('sin espera')}`;
        return line`Entre dos propinas de una persona: ${strong(fact.time)}`;
      case 'receipts':
        return RECEIPTS[fact.style];
      case 'notes':
        return fact.isOn ? line`Notas: ${strong('permitidas')}` : line`Notas: ${strong('no permitidas')}`;
      case 'language':
        return fact.name === null
          ? line`Lo que digo a todos aquí: en ${strong('el idioma de quien me escribe')}`
          : line`Lo que digo a todos aquí: en ${strong(fact.name)}`;
      case 'lifetime':
        if (fact.time === null) return line`Mis mensajes: ${strong('se quedan')}`;
        return line`Mis mensajes: se borran tras ${strong(fact.time)}`;
      case 'log':
        return fact.name === null
          ? line`Registro de propinas: ${strong('ninguno')}`
          : line`Registro de propinas: ${strong(fact.name)}`;
      case 'role':
        if (!fact.hasRoles) return line`Las recompensas las confirman los administradores de este grupo.`;
        if (fact.name === null) return line`Las recompensas las confirma: ${strong('quien modera')}`;
        return line`Las recompensas las confirman: quien modera y ${strong(fact.name)}`;
      case 'drops':
        if (!fact.hasRoles)
          return line`Los repartos son para quien lleve ${KNOWN_DAYS} días aquí y tenga ${KNOWN_ANSWERS} mensajes respondidos.`;
        return fact.name === null
          ? line`Los repartos son para: ${strong('nadie todavía')}`
          : line`Los repartos son para: ${strong(fact.name)}`;
      case 'quorum':
        return line`Las recompensas de más de ${SMALL_REWARD} USDC las confirman: ${strong(String(fact.count))}`;
      case 'ban':
        return line`Sin permiso para dar propinas: ${strong(String(fact.count))}`;
    }
  },

  settingsProblem: (problem) => {
    switch (problem.code) {
      case 'min_above_max':
        return line`Entonces una propina sería de ${usdc(problem.min)} como mínimo y de ${usdc(problem.max)} como máximo, y nadie podría dar ninguna:`;
      case 'everywhere_already':
        return line`Aquí se permiten propinas en todas partes. Para dejarlas solo en algunos lugares, escribe esto en cada uno de ellos:`;
      case 'too_many_channels':
        return line`Serían más de ${strong(PLACES_MAX)} lugares.`;
      case 'role_of_all':
        return line`Ese rol lo tiene todo el mundo, y quien lo tiene podría gastar las recompensas. Elige otro:`;
      case 'drops_for_all':
        return line`Ese rol lo tiene todo el mundo, y quien acaba de llegar se llevaría las partes. Elige uno que se gane:`;
      case 'not_owner':
        return line`Solo la persona dueña de este servidor puede decir quién confirma recompensas y cuántos.`;
    }
  },
  banned: (name) =>
    line`${strong(name)} ya no puede dar propinas aquí, y no se le ha avisado. Su dinero sigue siendo suyo.`,
  unbanned: (name) => line`${strong(name)} puede volver a dar propinas aquí.`,
  wasNotBanned: (name) => line`${strong(name)} no tenía prohibido dar propinas aquí.`,
  noSelfBan: () => line`Esa persona eres tú. Menciona a otra:`,

  ruleProblem: (problem, wait) => {
    switch (problem.code) {
      case 'banned':
        return line`Quien modera aquí no te deja dar propinas. Tu dinero sigue siendo tuyo: ${code('/balance')}, ${code('/withdraw')}.`;
      case 'other_channel':
        return line`Este lugar no es para propinas. Aquí van en ${listed(problem.names, problem.more)}.`;
      case 'no_notes':
        return line`Aquí las propinas van sin nota:`;
      case 'below_min':
        return line`Aquí una propina es de ${usdc(problem.limit)} como mínimo por persona:`;
      case 'above_max':
        return line`Aquí una propina es de ${usdc(problem.limit)} como máximo por persona:`;
      case 'too_soon':
        return line`Aquí pasa algo de tiempo entre dos propinas. Podrás enviar la próxima en ${strong(wait)}.`;
    }
  },
};
