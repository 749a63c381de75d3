import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { fieldErrors } from '../../domain/errors.ts';
import { type SectionEntry, sectionFields, sectionInput } from '../../domain/section.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { publicPage } from '../lib/public-page.ts';
import { SectionField } from './SectionField.tsx';
import { SectionPreview } from './SectionPreview.tsx';
import { useSaveSection, useSectionNow } from './queries.ts';
import { type SectionDraft, keepDrafts, readDrafts, sameWords } from './section-draft.ts';
import { closeSection } from './section-url.ts';

const notShown =
  'Optional. Visitors don’t see this text. Leave it empty unless another program reads it from this site.';

const names = Object.keys(sectionFields) as (keyof SectionDraft)[];

const wordsOf = ({ title, content, metadata }: SectionDraft): SectionDraft => ({ title, content, metadata });

/**
 * The editor of one section: its text fields, a preview, Save and Cancel. After a reload, the editor offers the unsaved
 * drafts. An offer stays until the admin restores or discards it.
 */
export function SectionEditor({ entry }: { entry: SectionEntry }) {
  const { sectionKey, location } = entry;
  /** The saved text and timestamp from which the edit started, to detect a later change by another admin. */
  const [basis, setBasis] = useState({ words: wordsOf(entry), updatedAt: entry.updatedAt });
  const [words, setWords] = useState(basis.words);
  const [offers, setOffers] = useState(() => readDrafts(sectionKey).filter((kept) => !sameWords(kept, basis.words)));
  const [theirs, setTheirs] = useState<SectionEntry>();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const hints: SectionDraft = {
    title: location.title ?? notShown,
    content: location.content ? `${location.content}. HTML tags are removed.` : notShown,
    metadata: 'Optional. Data in JSON format for other programs that use this text.',
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const save = useSaveSection(sectionKey);
  const now = useSectionNow();

  useEffect(() => heading.current?.focus(), []);

  const keep = (next: SectionDraft, offered = offers) => {
    const others = offered.filter((offer) => !sameWords(offer, next));
    keepDrafts(sectionKey, sameWords(next, basis.words) ? others : [...others, next]);
  };
  const write = (changes: Partial<SectionDraft>) => {
    const next = { ...words, ...changes };
    setWords(next);
    keep(next);
  };
  const settle = (offer: SectionDraft, next: SectionDraft) => {
    const others = offers.filter((other) => other !== offer);
    setOffers(others);
    setWords(next);
    keep(next, others);
  };
  const leave = () => {
    keepDrafts(sectionKey, offers);
    // If the admin opened another screen during the save, that screen stays open.
    if (form.current) closeSection();
  };
  const refuse = (found: Readonly<Record<string, string>>) => {
    setErrors(found);
    const first = names.find((name) => found[name]);
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
    showToast({
      title: 'Content updated successfully!',
      description: location.label,
      ...(location.href !== null && publicPage(location.href, saved.publishing)),
    });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!save.isPending) void send(basis.updatedAt);
  };
  const takeTheirs = (section: SectionEntry) => {
    setBasis({ words: wordsOf(section), updatedAt: section.updatedAt });
    setWords(wordsOf(section));
    keepDrafts(sectionKey, offers);
    setTheirs(undefined);
  };

  return (
    <div className="scroll-area @container/sections pt-5 pb-8 wide:grid wide:grid-cols-[minmax(0,44rem)_minmax(0,30rem)] wide:content-start wide:gap-x-12">
      <form ref={form} className="grid max-w-176 gap-4" noValidate onSubmit={submit}>
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
        {offers.map((offer, index) => (
          <Notice key={index} title="You have unsaved changes">
            <p>These changes are on this device only, not on the site.</p>
            <div className="w-full py-2 rule-y-rule">
              <SectionPreview location={location} words={offer} />
            </div>
            <div className="actions">
              <Button onClick={() => settle(offer, offer)}>Restore</Button>
              <Button look="quiet" onClick={() => settle(offer, words)}>
                Discard
              </Button>
            </div>
          </Notice>
        ))}
        {theirs && (
          <Notice variant="destructive" title="Someone else changed this text while you were editing">
            <p>This is their version. Your changes are still in the form below and haven’t been saved.</p>
            <div className="w-full py-2 rule-y-rule">
              <SectionPreview location={location} words={theirs} />
            </div>
            <div className="actions">
              <Button onClick={() => takeTheirs(theirs)}>Use their version</Button>
              <Button onClick={() => void send(theirs.updatedAt)} pending={save.isPending}>
                Save your version
              </Button>
            </div>
          </Notice>
        )}
        {names.map((name) => (
          <SectionField
            key={name}
            name={name}
            field={sectionFields[name]}
            value={words[name]}
            hint={hints[name]}
            error={errors[name]}
            onChange={(text) => write({ [name]: text })}
          />
        ))}
        <div className="actions">
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
            Reset to default
          </Button>
        </div>
      </form>
      <aside
        className="mt-8 max-w-176 bg-raised px-5 pt-4 pb-5 rule-t-rule-strong double-b-rule-strong wide:mt-14 wide:self-start"
        aria-label="Preview"
      >
        <h3 className="mb-3 [font-weight:400] text-ink-soft">{location.href ? 'Preview' : 'Not shown on the site'}</h3>
        <SectionPreview location={location} words={words} />
      </aside>
    </div>
  );
}
