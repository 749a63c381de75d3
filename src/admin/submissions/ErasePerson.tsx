import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { listText } from '../../domain/list-text.ts';
import { type PersonalData, personalData } from '../../domain/personal-data.ts';
import { ApiError } from '../../lib/api.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DownloadButton } from '../ui/DownloadButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../lib/error-text.ts';
import { useRequest } from '../lib/signed-in-request.ts';
import { submissionLists } from './list.ts';
import { dropNotesAbout } from './NoteField.tsx';
import { useRefreshLists } from './queries.ts';

/** The button that erases all data of the person with this email address. Shows the data before erasing it. */
export function ErasePerson({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <h3>Privacy</h3>
      <p>
        <Button look="destructive" icon="bin" onClick={() => setOpen(true)}>
          Erase this person’s data…
        </Button>
      </p>
      {open && <EraseDialog email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

function EraseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const send = useRequest();
  const refreshLists = useRefreshLists();
  const found = useQuery({
    queryKey: ['personal-data', email],
    queryFn: ({ signal }) =>
      send(`${apiPaths.personalData}?email=${encodeURIComponent(email)}`, { schema: personalData, signal }),
    gcTime: 0,
  });
  const erase = useMutation({
    mutationFn: () => send(apiPaths.erasePersonalData, { body: { email }, schema: personalData }),
    onSuccess: (erased) => {
      onClose();
      Object.values(submissionLists).forEach(({ close }) => close());
      void refreshLists();
      dropNotesAbout([...erased.inquiries, ...erased.applications]);
      showToast({ title: 'Data erased', description: `${email}: ${listText(listOf(erased))}.` });
    },
    onError: (error) =>
      showToast({
        // A status below 500 means that the server refused the request before erasing anything.
        title:
          error instanceof ApiError && error.status < 500 ? 'Nothing was erased' : 'Couldn’t finish erasing the data',
        description: errorText(error),
        variant: 'destructive',
      }),
  });
  const held = found.data?.held ?? [];
  return (
    <Dialog title="Erase a person’s data" onClose={onClose}>
      {found.isError && (
        <FailureNotice
          title="Couldn’t look up the data"
          error={found.error}
          onRetry={() => void found.refetch()}
          pending={found.isFetching}
        />
      )}
      {found.isPending && <p role="status">Looking for data about {email}…</p>}
      {found.data && (
        <>
          <p>The site has the following data about {email}:</p>
          <ul className="bullets">
            {listOf(found.data).map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
          {held.length > 0 && (
            <Notice
              title={
                held.length === 1
                  ? 'Someone marked an application to be kept'
                  : `${held.length} applications are kept after their deletion dates`
              }
            >
              <p>
                Someone chose to keep {listText(held)} past the deletion date. Open{' '}
                {held.length === 1
                  ? 'the application and read why it was kept'
                  : 'the applications and read why they were kept'}{' '}
                before you erase this person’s data. The firm may need{' '}
                {held.length === 1 ? 'the application' : 'the applications'} for a legal claim.
              </p>
            </Notice>
          )}
          <p>
            We’ll permanently erase this data, including notes and unsent emails. We can’t erase emails that were
            already sent, or copies that you saved elsewhere.
          </p>
          <div className="actions *:max-md:grow">
            <Button onClick={onClose}>Cancel</Button>
            <DownloadButton
              fresh
              href={`${apiPaths.personalDataCopy}?email=${encodeURIComponent(email)}`}
              failure="Couldn’t save a copy"
            >
              Save a copy
            </DownloadButton>
            <Button
              look="destructive"
              icon="bin"
              onClick={() => erase.mutate()}
              pending={erase.isPending}
              pendingLabel="Erasing…"
            >
              Erase permanently
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function listOf({ inquiries, applications, waiting }: PersonalData): string[] {
  const count = (number: number, one: string, many: string) => (number === 1 ? `1 ${one}` : `${number} ${many}`);
  return [
    ...(inquiries.length > 0 ? [count(inquiries.length, 'inquiry', 'inquiries')] : []),
    ...(applications.length > 0
      ? [count(applications.length, 'application with its resume', 'applications with their resumes')]
      : []),
    ...(waiting > 0
      ? [count(waiting, 'submission that waits for the database', 'submissions that wait for the database')]
      : []),
  ];
}
