import { Button } from '../ui/Button.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { withNotice } from '../ui/with-notice.ts';
import { SectionEditor } from './SectionEditor.tsx';
import { SectionList, SectionListSkeleton } from './SectionList.tsx';
import { useInitialize, useSections } from './queries.ts';
import { useOpenSection } from './section-place.ts';

/** Content Editor: the list of sections, or the one that is edited (spec §2). */
export default function SectionsScreen() {
  const list = useSections();
  const open = useOpenSection();
  const initialize = useInitialize();
  const entry = list.data?.find(({ sectionKey }) => sectionKey === open);

  if (entry) return <SectionEditor key={entry.sectionKey} entry={entry} />;

  const load = () =>
    withNotice(
      initialize.mutateAsync(),
      ({ added }) => ({
        title: 'Website content loaded successfully!',
        description:
          added.length === 0
            ? 'Nothing was missing. Your own texts stay as they are.'
            : `${added.length} ${added.length === 1 ? 'text was' : 'texts were'} missing. Your own stay as they are.`,
      }),
      'Failed to load website content',
    );
  return (
    <div className="sections">
      <div className="sections-head">
        <p>The texts of the home page. After a save, you see here when visitors have it.</p>
        <Button icon="download" onClick={() => void load()} pending={initialize.isPending} pendingLabel="Loading…">
          Load website content
        </Button>
      </div>
      {list.isError && (
        <FailureNotice
          title="Could not load the sections"
          error={list.error}
          {...(list.data && { kept: 'What you see is what was there before.' })}
          onRetry={() => void list.refetch()}
          pending={list.isFetching}
        />
      )}
      {list.isPending && <SectionListSkeleton />}
      {list.data && <SectionList entries={list.data} />}
    </div>
  );
}
