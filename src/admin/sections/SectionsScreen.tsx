import { apiPaths } from '../../domain/api-paths.ts';
import { type SectionEntry, sectionList, sectionsInitialized } from '../../domain/site/section.ts';
import { useAct, useGet } from '../lib/act.ts';
import { onPlainClick, useLocationSearch } from '../lib/location.ts';
import { Button } from '../ui/Button.tsx';
import { DateTime } from '../ui/Fact.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { useUnsavedList, writersOf } from '../unsaved/copies.ts';
import { SectionEditor, SectionPreview, openSection, searchOf, sectionsKey } from './SectionEditor.tsx';

/** Content Editor: the list of sections, or the section being edited (docs/product.md#home-texts). */
export default function SectionsScreen() {
  const sections = useGet([], apiPaths.sections, sectionList, { select: ({ data }) => data });
  const open = new URLSearchParams(useLocationSearch()).get('section');
  const initialize = useAct(
    (send) => send(apiPaths.initializeSections, { method: 'POST', schema: sectionsInitialized }),
    {
      done: ({ added }) => ({
        title: 'Website content loaded successfully!',
        description: `Default texts stored: ${added.length}. Your edits are unchanged.`,
      }),
      failed: 'Failed to load website content',
      refresh: sectionsKey,
    },
  );
  const unsaved = useUnsavedList('section');
  const entry = sections.data?.find(({ sectionKey }) => sectionKey === open);

  if (entry) return <SectionEditor key={entry.sectionKey} entry={entry} />;
  return (
    <div className="scroll-area @container/sections">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <p>
          Edit the text on the Home and Contact pages. After you save, a message says how soon visitors will see the
          change.
        </p>
        <Button
          act={initialize}
          icon="download"
          title="Stores a copy of the default text of each section that nobody has edited. The website does not change."
          pendingLabel="Storing…"
        >
          Save default text
        </Button>
      </div>
      <Loaded what="the sections" query={sections}>
        {(entries) => (
          <ol className="rule-t-rule-strong pb-6" aria-label="Sections">
            {entries.map((one) => (
              <SectionRow key={one.sectionKey} entry={one} unsavedBy={writersOf(unsaved, one.sectionKey)} />
            ))}
          </ol>
        )}
      </Loaded>
    </div>
  );
}

/** Says where the site shows a section, and previews the text. */
function SectionRow({ entry, unsavedBy }: { entry: SectionEntry; unsavedBy: string }) {
  const { sectionKey, location, updatedAt, first } = entry;
  const edited = entry.title !== first.title || entry.content !== first.content || entry.metadata !== first.metadata;
  return (
    <li className="relative grid gap-x-8 gap-y-2 py-4 rule-b-rule hover:bg-raised @min-[52rem]/sections:grid-cols-[minmax(13rem,17rem)_minmax(0,1fr)_11rem] @min-[52rem]/sections:items-baseline">
      <div>
        <a
          className="row-link after:absolute after:inset-0"
          href={searchOf(sectionKey)}
          onClick={onPlainClick(() => openSection(sectionKey))}
        >
          {location.label}
        </a>
        <p className="text-ink-soft">{location.where}</p>
        {unsavedBy && <p className="text-xs text-ink-soft">Unsaved changes by {unsavedBy}</p>}
      </div>
      <SectionPreview {...entry} />
      <p className="text-xs text-ink-soft @min-[52rem]/sections:text-end">
        {edited && updatedAt ? 'Edited ' : 'Default text'}
        {edited && updatedAt && <DateTime iso={updatedAt} />}
      </p>
    </li>
  );
}
