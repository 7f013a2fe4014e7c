import { ComponentType, InteractionType } from 'discord-api-types/v10';
import { fits, inputOf, type Modal } from '../forms/modals.ts';
import { openInteraction } from '../state/interactions.ts';
import type { Channel, Interaction, User, World } from '../state/world.ts';
import { choose } from './components.ts';
import type { Ref } from './directory.ts';

export type ModalValues = Readonly<Record<string, string | readonly (string | Ref)[]>>;
type Place = { world: World; user: User; channel: Channel };
type Input = NonNullable<ReturnType<typeof inputOf>>;

export function createModalActions(world: World) {
  return {
    /** Fills in the modal that an interaction opened for this person; values are by custom id. */
    submitModal: (user: User, opened: Interaction, values: ModalValues = {}): Interaction => {
      const { modal } = opened;
      if (modal === null) throw new Error(`the interaction "${opened.name}" opened no modal`);
      if (opened.userId !== user.id) throw new Error(`the modal is not open for ${user.username}`);
      const channel = world.channels.get(opened.channelId);
      if (!channel) throw new Error('the channel of the modal is gone');
      const known = modal.components.flatMap((part) => inputOf(part)?.custom_id ?? []);
      const stranger = Object.keys(values).find((id) => !known.includes(id));
      if (stranger !== undefined) throw new Error(`the modal has no input "${stranger}"`);
      return openInteraction(world, {
        type: InteractionType.ModalSubmit,
        name: modal.custom_id,
        user,
        channel,
        owners: opened.owners,
        source: opened.sourceMessageId === null ? null : (world.messages.get(opened.sourceMessageId) ?? null),
        data: {
          custom_id: modal.custom_id,
          components: modal.components.map((part, index) => submitPart({ world, user, channel }, part, index, values)),
        },
      });
    },
  };
}

/** The answer has the shape of the modal: rows stay rows, labels stay labels. */
function submitPart(place: Place, part: Modal['components'][number], index: number, values: ModalValues): object {
  const id = index * 2 + 1;
  if (part.type === ComponentType.TextDisplay) return { type: part.type, id };
  const input = inputOf(part);
  if (input === null) throw new Error('expected the part to hold an input');
  const filled = { id: id + 1, ...fillInput(place, input, values[input.custom_id]) };
  return part.type === ComponentType.Label
    ? { type: part.type, id, component: filled }
    : { type: part.type, id, components: [filled] };
}

function fillInput(place: Place, input: Input, value: ModalValues[string] | undefined): object {
  const { type, custom_id } = input;
  if (input.type !== ComponentType.TextInput) {
    if (typeof value === 'string') throw new Error(`the input "${custom_id}" takes a list`);
    if (value === undefined && input.required === false) return { type, custom_id, values: [] };
    return { type, custom_id, ...choose(place, input, value ?? []) };
  }
  const text = value ?? input.value ?? '';
  if (typeof text !== 'string') throw new Error(`the input "${custom_id}" takes text`);
  const isRequired = input.required ?? true;
  if (text === '' && isRequired) throw new Error(`the input "${custom_id}" must be filled in`);
  if (text !== '' && !fits(text, input.min_length ?? 0, input.max_length ?? 4000)) {
    throw new Error(`the input "${custom_id}" does not take ${text.length} characters`);
  }
  return { type, custom_id, value: text };
}
