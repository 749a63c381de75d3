import { Button } from '../ui/Button.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { withToast } from '../lib/with-toast.ts';
import { SectionEditor } from './SectionEditor.tsx';
import { SectionList, SectionListSkeleton } from './SectionList.tsx';
import { useInitialize, useSections } from './queries.ts';
import { useOpenSection } from './section-url.ts';

/** Content Editor: the list of sections, or the section being edited (docs/product.md#home-texts). */
export default function SectionsScreen() {
  const list = useSections();
  const open = useOpenSection();
  const initialize = useInitialize();
  const entry = list.data?.find(({ sectionKey }) => sectionKey === open);

  if (entry) return <SectionEditor key={entry.sectionKey} entry={entry} />;

  const load = () =>
    withToast(
      initialize.mutateAsync(),
      ({ added }) => ({
        title: 'Website content loaded successfully!',
        description:
          added.length === 0
            ? 'No section was missing. Your edits are unchanged.'
            : `${added.length} ${added.length === 1 ? 'section was' : 'sections were'} added. Your edits are unchanged.`,
      }),
      'Failed to load website content',
    );
  return (
    <div className="scroll-area @container/sections">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
        <p>
          Edit the text on the Home and Contact pages. After you save, a message tells you when visitors see the change.
          If a section is missing from the list, select “Load missing content.” Your edits stay.
        </p>
        <Button icon="download" onClick={() => void load()} pending={initialize.isPending} pendingLabel="Loading…">
          Load missing content
        </Button>
      </div>
      {list.isError && (
        <FailureNotice
          title="Couldn’t load the sections"
          error={list.error}
          {...(list.data && { kept: 'This list may be out of date.' })}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && <SectionListSkeleton />}
      {list.data && <SectionList entries={list.data} />}
    </div>
  );
}
