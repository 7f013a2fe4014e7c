import {
  ApplicationCommandOptionType as Type,
  ButtonStyle,
  ComponentType,
  InteractionType,
} from 'discord-api-types/v10';
import { type Part, partsOf } from '../state/contents.ts';
import { openInteraction } from '../state/interactions.ts';
import { canSee, channelOf } from '../state/messages.ts';
import type { Interaction, Message, User, World } from '../state/world.ts';
import { ownersOf } from './availability.ts';
import type { Ref } from './directory.ts';
import { resolveEntity, type Resolved } from './option-values.ts';

type Select = Extract<Part, { type: 3 | 5 | 6 | 7 | 8 }>;

/** What an entity select lets people choose, in the words of options. */
const CHOSEN = {
  [ComponentType.UserSelect]: Type.User,
  [ComponentType.RoleSelect]: Type.Role,
  [ComponentType.MentionableSelect]: Type.Mentionable,
  [ComponentType.ChannelSelect]: Type.Channel,
} as const;

/** What people do with the parts of a message that they see. */
export function createComponentActions(world: World) {
  const use = (user: User, message: Message, part: { type: ComponentType; custom_id: string }, more: object) =>
    openInteraction(world, {
      type: InteractionType.MessageComponent,
      name: part.custom_id,
      user,
      channel: channelOf(world, message),
      owners: ownersOfMessage(world, user, message),
      source: message,
      data: {
        component_type: part.type,
        custom_id: part.custom_id,
        id: partsOf(message.components).findIndex((one) => 'custom_id' in one && one.custom_id === part.custom_id) + 1,
        ...more,
      },
    });

  return {
    /**
     * By the button's label or its custom id. `forged`: what no client would send, from a member who does not see the
     * message or with the id of a button that is gone.
     */
    press: (user: User, message: Ref, labelOrId: string, { forged = false } = {}): Interaction => {
      if (forged) return use(user, existing(world, message), { type: ComponentType.Button, custom_id: labelOrId }, {});
      const found = visible(world, user, message);
      const button = partsOf(found.components).find(
        (part) =>
          part.type === ComponentType.Button &&
          (('custom_id' in part && part.custom_id === labelOrId) || ('label' in part && part.label === labelOrId)),
      );
      if (button?.type !== ComponentType.Button) throw new Error(`the message has no button "${labelOrId}"`);
      if (button.disabled) throw new Error(`the button "${labelOrId}" is disabled`);
      if (button.style === ButtonStyle.Link || button.style === ButtonStyle.Premium) {
        throw new Error(`the button "${labelOrId}" sends nothing to the bot`);
      }
      return use(user, found, button, {});
    },

    /** Values of a text select, or the chosen users, roles or channels. */
    select: (user: User, message: Ref, customId: string, values: readonly (string | Ref)[]): Interaction => {
      const found = visible(world, user, message);
      const part = partsOf(found.components).find((one): one is Select => isSelect(one) && one.custom_id === customId);
      if (!part) throw new Error(`the message has no select "${customId}"`);
      if (part.disabled) throw new Error(`the select "${customId}" is disabled`);
      const place = { world, user, channel: channelOf(world, found) };
      return use(user, found, part, choose(place, part, values));
    },
  };
}

type Place = Parameters<typeof resolveEntity>[0];

/** Refuses what the select does not offer. */
export function choose(place: Place, select: Select, values: readonly (string | Ref)[]) {
  const ids = values.map((value) => (typeof value === 'string' ? value : value.id));
  if (ids.length < (select.min_values ?? 1) || ids.length > (select.max_values ?? 1)) {
    throw new Error(`the select "${select.custom_id}" does not take ${ids.length} values`);
  }
  if (select.type === ComponentType.StringSelect) {
    const missing = ids.find((id) => !select.options.some(({ value }) => value === id));
    if (missing !== undefined) throw new Error(`the select "${select.custom_id}" does not offer "${missing}"`);
    return { values: ids };
  }
  const resolved: Resolved = {};
  for (const id of ids) {
    if (!resolveEntity(place, CHOSEN[select.type], id, resolved)) {
      throw new Error(`the select "${select.custom_id}" does not offer ${id}`);
    }
  }
  return { values: ids, resolved };
}

export function isSelect(part: { type: ComponentType }): part is Select {
  return [3, 5, 6, 7, 8].includes(part.type);
}

function visible(world: World, user: User, { id }: Ref): Message {
  const message = world.messages.get(id);
  if (!message || !canSee(world, message, user.id)) throw new Error(`${user.username} does not see the message ${id}`);
  return message;
}

function existing(world: World, { id }: Ref): Message {
  const message = world.messages.get(id);
  if (!message) throw new Error(`there is no message ${id}`);
  return message;
}

/** A button is authorised by whatever let its message appear. */
function ownersOfMessage(world: World, user: User, message: Message): Interaction['owners'] {
  const origin = message.interactionId === null ? undefined : world.interactions.get(message.interactionId);
  return origin?.owners ?? ownersOf(world, user, channelOf(world, message), [0, 1]);
}
