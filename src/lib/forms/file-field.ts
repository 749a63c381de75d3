import { sizeText } from '../../domain/file-size.ts';
import type { FileRefusal } from './definition.ts';

/** A form's field for one file. */
interface FileField {
  /** What is chosen now. */
  file(): File | undefined;
  /** Shows what is chosen; called after something else has changed it, as a form's reset does. */
  refresh(): void;
  /** Shows how much of the file has left; null ends it. */
  progress(sent: number | null, total?: number): void;
}

interface Options {
  readonly refuse: (file: File) => FileRefusal | undefined;
  /** A file was refused, and is no longer chosen. */
  readonly onRefused: (refusal: FileRefusal) => void;
  /** Another file was chosen, or none. */
  readonly onChosen: () => void;
}

/**
 * Shows the chosen file with a way to take it back. A file is chosen, or dropped, on the input itself, as it is without
 * scripts.
 *
 * Markup: an `<input type="file">`, `[data-file-chosen]` holding `[data-file-name]`, `[data-file-size]` and a button
 * `[data-file-remove]`, and a `<progress data-file-progress>`.
 */
export function fileField(form: HTMLFormElement, name: string, { refuse, onRefused, onChosen }: Options): FileField {
  const input = form.elements.namedItem(name);
  if (!(input instanceof HTMLInputElement)) throw new TypeError(`The form has no field ${name}.`);
  const part = (part: string) => form.querySelector<HTMLElement>(`[data-file-${part}]`);
  const bar = form.querySelector<HTMLProgressElement>('progress[data-file-progress]');
  const file = () => input.files?.[0];

  const refresh = (): void => {
    const chosen = file();
    const box = part('chosen');
    if (box) box.hidden = !chosen;
    part('name')?.replaceChildren(chosen?.name ?? '');
    part('size')?.replaceChildren(chosen ? sizeText(chosen.size) : '');
  };
  input.addEventListener('change', () => {
    const chosen = file();
    const refusal = chosen && refuse(chosen);
    if (refusal) input.value = '';
    refresh();
    if (refusal) onRefused(refusal);
    else onChosen();
  });
  part('remove')?.addEventListener('click', () => {
    input.value = '';
    refresh();
    onChosen();
    input.focus();
  });
  for (const [type, over] of Object.entries({ dragenter: true, dragleave: false, drop: false, dragend: false })) {
    input.addEventListener(type, () => input.toggleAttribute('data-over', over));
  }
  refresh();

  return {
    file,
    refresh,
    progress(sent, total = 1) {
      if (!bar) return;
      bar.hidden = sent === null;
      bar.value = (sent ?? 0) / total;
    },
  };
}
