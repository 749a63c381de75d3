import { sizeText } from '../../domain/text/text.ts';
import type { FormMessage } from './definition.ts';

interface Options {
  readonly refuse: (file: File) => FormMessage | undefined;
  /** Called after a file was refused and removed from the input. */
  readonly onRefused: (refusal: FormMessage) => void;
  /** Called after the visitor selected or removed a file. */
  readonly onChosen: () => void;
}

/**
 * Shows the selected file with a button to remove it. The visitor selects or drops a file on the native input, as
 * without JavaScript.
 *
 * Markup: an `<input type="file">`, `[data-file-chosen]` that contains `[data-file-name]`, `[data-file-size]` and a
 * button `[data-file-remove]`, and a `<progress data-file-progress>`.
 */
export function fileField(form: HTMLFormElement, name: string, { refuse, onRefused, onChosen }: Options) {
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
    /** Updates the display after other code, such as a form reset, has changed the selection. */
    refresh,
    /** Shows the upload progress in bytes; null hides the progress bar. */
    progress(sent: number | null, total = 1): void {
      if (!bar) return;
      bar.hidden = sent === null;
      bar.value = (sent ?? 0) / total;
    },
  };
}
