import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { apiPaths } from '../../domain/api-paths.ts';
import { fieldErrors } from '../../domain/errors.ts';
import {
  type SectionChange,
  type SectionEntry,
  type SectionInput,
  sectionEntry,
  sectionFields,
  sectionInput,
  sectionSaved,
} from '../../domain/site/section.ts';
import { textOfHtml } from '../../domain/text/text.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { publicPage, useAct } from '../lib/act.ts';
import { go, returnsTo } from '../lib/location.ts';
import { useSaveKey } from '../lists/use-list.ts';
import { Button } from '../ui/Button.tsx';
import { TextField } from '../ui/Field.tsx';
import { UnsavedChoices, UnsavedLine } from '../unsaved/Unsaved.tsx';
import { useUnsaved } from '../unsaved/use-unsaved.ts';

/** Marks a history entry as opened from the list, so closing the section goes back to the list. */
const fromList = 'section-list';

export const searchOf = (sectionKey: string) => `?${new URLSearchParams({ tab: 'content', section: sectionKey })}`;

export const openSection = (sectionKey: string) => go(searchOf(sectionKey), { from: fromList });

function closeSection(): void {
  if (returnsTo(fromList)) window.history.back();
  else go('?tab=content', { replace: true });
}

export const sectionsKey = [apiPaths.sections] as const;

const notShown =
  'Optional. Visitors don’t see this text. Leave it empty unless another program reads it from this site.';

const names = Object.keys(sectionFields) as (keyof SectionInput)[];
const wordsOf = ({ title, content, metadata }: SectionInput): SectionInput => ({ title, content, metadata });
const plainText = (words: SectionInput): string =>
  names.flatMap((name) => (words[name] ? [`${sectionFields[name].label}:`, words[name]] : [])).join('\n');

/** The editor of one section: its text fields, a preview, Save and Cancel. Unsaved changes continue after a reload. */
export function SectionEditor({ entry }: { entry: SectionEntry }) {
  const { sectionKey, location } = entry;
  const hints: SectionInput = {
    title: location.title ?? notShown,
    content: location.content ? `${location.content}. HTML tags are removed.` : notShown,
    metadata: 'Optional. Data in JSON format for other programs that use this text.',
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const { mutateAsync: saveSection } = useSaveSection(sectionKey);
  const section = useUnsaved<SectionInput, SectionEntry>({
    kind: 'section',
    id: sectionKey,
    record: entry,
    read: (saved) => ({ version: saved.updatedAt, text: wordsOf(saved) }),
    parse: (current) => sectionEntry.safeParse(current).data ?? null,
    save: async (words, updatedAt) => {
      const { data, publishing } = await saveSection({ ...words, updatedAt });
      showToast({
        title: 'Content updated successfully!',
        description: location.label,
        ...(location.href !== null && publicPage(location.href, publishing)),
      });
      return { ...entry, ...data };
    },
    failed: 'Failed to update content',
    reopen: () => openSection(sectionKey),
  });
  const { text: words, errors, wrong, conflict } = section;

  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>(`[name="${wrong.field}"]`)?.focus();
  }, [wrong]);

  /** @param base the version to replace; by default, the version that the admin opened. */
  const save = async (base?: string | null) => {
    const parsed = z.safeParse(sectionInput, words);
    const saved = await section.save(parsed.success ? {} : fieldErrors(parsed.error), base);
    // If the admin opened another screen during the save, that screen stays open.
    if (saved && form.current) closeSection();
  };

  useSaveKey(form, save);

  return (
    <div className="scroll-area @container/sections pt-5 pb-8 wide:grid wide:grid-cols-[minmax(0,44rem)_minmax(0,30rem)] wide:content-start wide:gap-x-12">
      <form
        ref={form}
        className="grid max-w-176 gap-4"
        noValidate
        onSubmit={(event: SubmitEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <h2 ref={heading} tabIndex={-1}>
          {location.label}
        </h2>
        <p className="text-ink-soft">
          {location.where}.{' '}
          {location.href && (
            <a href={location.href} target="_blank" rel="noopener">
              View on site
            </a>
          )}
        </p>
        <UnsavedChoices
          noun="section"
          unsaved={section}
          plainText={plainText}
          onKeepMine={() => void save(conflict?.saved.version)}
        />
        {names.map((name) => (
          <TextField
            key={name}
            label={sectionFields[name].label}
            hint={hints[name]}
            error={errors[name]}
            name={name}
            className={name === 'metadata' ? 'min-h-17' : undefined}
            rows={sectionFields[name].rows}
            value={words[name]}
            spellCheck={name !== 'metadata'}
            onText={(text) => section.edit({ [name]: text })}
          />
        ))}
        <UnsavedLine unsaved={section} />
        <div className="actions">
          <Button type="submit" look="primary" pending={section.saving} pendingLabel="Saving…">
            Save
          </Button>
          <Button
            onClick={() => {
              section.discard();
              closeSection();
            }}
          >
            Cancel
          </Button>
          <Button
            look="quiet"
            icon="again"
            unavailable={plainText(words) === plainText(entry.first)}
            onClick={() => section.replace(wordsOf(entry.first), 'Default text loaded. Select “Save” to publish it')}
          >
            Reset to default
          </Button>
        </div>
      </form>
      <aside
        className="mt-8 max-w-176 bg-raised px-5 pt-4 pb-5 rule-t-rule-strong double-b-rule-strong wide:mt-14 wide:self-start"
        aria-label="Preview"
      >
        <h3 className="mb-3 [font-weight:400] text-ink-soft">{location.href ? 'Preview' : 'Not shown on the site'}</h3>
        <SectionPreview location={location} {...words} />
      </aside>
    </div>
  );
}

/** Saves a section's text. Fails if another admin changed the section first. */
function useSaveSection(sectionKey: string) {
  const client = useQueryClient();
  const path = apiPaths.section(sectionKey);
  return useAct((send, body: SectionChange) => send(path, { method: 'PUT', body, schema: sectionSaved }), {
    done: ({ data: saved }) => {
      const withSaved = (entry: SectionEntry) => (entry.sectionKey === sectionKey ? { ...entry, ...saved } : entry);
      client.setQueryData<{ data: SectionEntry[] }>(sectionsKey, (list) => list && { data: list.data.map(withSaved) });
      return undefined;
    },
    refresh: sectionsKey,
  });
}

/** Previews a section the way the site shows it, as plain text without tags. */
export function SectionPreview({ location, ...words }: Pick<SectionEntry, 'location' | 'title' | 'content'>) {
  const title = textOfHtml(words.title);
  const content = textOfHtml(words.content);
  if (location.look === 'figure') {
    // Usually, the title is the number and the content is its label. If the content is empty and the title has no
    // digit, the preview shows the title as the label, with a dash instead of a number.
    const [label, figure] = content === '' && !/\d/.test(title) ? [title, '–'] : [content, title];
    return (
      <p className="flex max-w-176 min-w-0 items-baseline justify-between gap-4 wrap-anywhere">
        <span>{label}</span> <strong className="figures title-xl/[1.2]">{figure}</strong>
      </p>
    );
  }
  return (
    <div className="grid max-w-176 min-w-0 gap-1.5 wrap-anywhere">
      <p className="title-lg/[1.25]">{title}</p>
      {location.content !== null && content !== '' && <p>{content}</p>}
    </div>
  );
}
