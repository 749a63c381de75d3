import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { type SectionEntry, sectionInput } from '../../domain/section.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { SectionField } from './SectionField.tsx';
import { SectionPreview } from './SectionPreview.tsx';
import { sectionPlaces } from './places.ts';
import { useSaveSection, useSectionNow } from './queries.ts';
import { type SectionWords, forgetDraft, keepDraft, readDraft, sameWords } from './section-draft.ts';
import { closeSection } from './section-place.ts';

const wordsOf = ({ title, content, metadata }: SectionWords): SectionWords => ({ title, content, metadata });

/** One section: its text, how the site will show it, Save and Cancel. What is written survives a reload. */
export function SectionEditor({ entry }: { entry: SectionEntry }) {
  const { sectionKey } = entry;
  const place = sectionPlaces[sectionKey];
  /** What the editor began with; a later change by somebody else is told by it. */
  const [basis, setBasis] = useState({ words: wordsOf(entry), updatedAt: entry.updatedAt });
  const [words, setWords] = useState(basis.words);
  const [draft, setDraft] = useState(() => {
    const kept = readDraft(sectionKey);
    return kept && !sameWords(kept, basis.words) ? kept : null;
  });
  const [theirs, setTheirs] = useState<SectionEntry>();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveSection(sectionKey);
  const now = useSectionNow();

  useEffect(() => heading.current?.focus(), []);

  const write = (changes: Partial<SectionWords>) => {
    const next = { ...words, ...changes };
    setWords(next);
    if (sameWords(next, basis.words)) forgetDraft(sectionKey);
    else keepDraft(sectionKey, next);
  };
  const leave = () => {
    forgetDraft(sectionKey);
    // Somebody who went on to another screen meanwhile stays there.
    if (form.current) closeSection();
  };
  const refuse = (found: Readonly<Record<string, string>>) => {
    setErrors(found);
    const first = ['title', 'content', 'metadata'].find((name) => found[name]);
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const send = async (updatedAt: string | null) => {
    const parsed = z.safeParse(sectionInput, words);
    if (!parsed.success) return refuse(fieldErrors(parsed.error));
    setErrors({});
    let saved: Awaited<ReturnType<typeof save.mutateAsync>>;
    try {
      saved = await save.mutateAsync({ ...parsed.data, updatedAt });
    } catch (error) {
      if (error instanceof ApiError && error.errors) refuse(error.errors);
      if (error instanceof ApiError && error.status === 409 && form.current) {
        setTheirs(await now(sectionKey));
        return;
      }
      showToast({ title: 'Failed to update content', description: errorText(error), variant: 'destructive' });
      return;
    }
    leave();
    showToast({ title: 'Content updated successfully!', description: place.label });
    if (place.href === null) return;
    const { label, href } = place;
    // A browser that can't fetch the code shows no state; the text is saved.
    void import('../live/watch.tsx').then(
      ({ watchSection }) => watchSection(saved, label, href),
      () => undefined,
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!save.isPending) void send(basis.updatedAt);
  };
  const takeTheirs = (section: SectionEntry) => {
    setBasis({ words: wordsOf(section), updatedAt: section.updatedAt });
    setWords(wordsOf(section));
    forgetDraft(sectionKey);
    setTheirs(undefined);
  };

  return (
    <div className="section-editor">
      <form ref={form} className="section-form" noValidate onSubmit={submit}>
        <h2 ref={heading} tabIndex={-1}>
          {place.label}
        </h2>
        <p className="section-where">
          {place.where}.{' '}
          {place.href && (
            <a href={place.href} target="_blank" rel="noopener">
              See it on the site
            </a>
          )}
        </p>
        {draft && (
          <Notice title="You were writing this before">
            <p>What you wrote was not saved, but it was kept on this device.</p>
            <SectionPreview sectionKey={sectionKey} words={draft} />
            <div className="section-buttons">
              <Button
                onClick={() => {
                  write(draft);
                  setDraft(null);
                }}
              >
                Go on with it
              </Button>
              <Button
                look="quiet"
                onClick={() => {
                  forgetDraft(sectionKey);
                  setDraft(null);
                }}
              >
                Forget it
              </Button>
            </div>
          </Notice>
        )}
        {theirs && (
          <Notice variant="destructive" title="Somebody else changed this text while you were writing">
            <p>This is theirs. Yours is in the form below, and nothing was saved.</p>
            <SectionPreview sectionKey={sectionKey} words={theirs} />
            <div className="section-buttons">
              <Button onClick={() => takeTheirs(theirs)}>Take theirs</Button>
              <Button onClick={() => void send(theirs.updatedAt)} pending={save.isPending}>
                Save mine over it
              </Button>
            </div>
          </Notice>
        )}
        <SectionField
          label="Title"
          name="title"
          rows={2}
          value={words.title}
          hint={place.title ?? 'Not shown on the site.'}
          error={errors.title}
          onChange={(title) => write({ title })}
        />
        <SectionField
          label="Content"
          name="content"
          rows={4}
          value={words.content}
          hint={`${place.content ?? 'Not shown on the site'}. Tags are taken out.`}
          error={errors.content}
          onChange={(content) => write({ content })}
        />
        <SectionField
          label="Metadata"
          name="metadata"
          rows={2}
          value={words.metadata}
          hint="JSON for programs that read this text, or nothing."
          error={errors.metadata}
          onChange={(metadata) => write({ metadata })}
        />
        <div className="section-buttons">
          <Button type="submit" look="primary" pending={save.isPending} pendingLabel="Saving…">
            Save
          </Button>
          <Button onClick={leave}>Cancel</Button>
          <Button
            look="quiet"
            icon="again"
            unavailable={sameWords(words, entry.first)}
            onClick={() => write(wordsOf(entry.first))}
          >
            Use the first text
          </Button>
        </div>
      </form>
      <aside className="section-shown" aria-label="How the site will show it">
        <h3>{place.href ? 'How the site will show it' : 'The site does not show it'}</h3>
        <SectionPreview sectionKey={sectionKey} words={words} />
      </aside>
    </div>
  );
}
