import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiPaths } from '../../domain/api-paths.ts';
import { type PersonalData, personalData } from '../../domain/personal-data.ts';
import { showToast } from '../../lib/toast/toast.ts';
import { Button } from '../ui/Button.tsx';
import { DownloadButton } from '../ui/DownloadButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FailureNotice } from '../ui/FailureNotice.tsx';
import { Notice } from '../ui/Notice.tsx';
import { errorText } from '../ui/error-text.ts';
import { useRequest } from '../ui/signed-in-request.ts';
import { closeSubmission } from './inbox-place.ts';
import { dropNotesAbout } from './note-drafts.ts';
import { useRefreshLists } from './queries.ts';

/** Erases what the site holds of the person with this address, after showing what that is. */
export function ErasePerson({ email }: { email: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <h3>On request</h3>
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
      closeSubmission();
      void refreshLists();
      void dropNotesAbout([...erased.inquiries, ...erased.applications]);
      showToast({ title: 'Erased', description: `${listOf(erased).join(', ')} of ${email}.` });
    },
    onError: (error) =>
      showToast({ title: 'Nothing more was erased', description: errorText(error), variant: 'destructive' }),
  });
  return (
    <Dialog title="Erase a person’s data" onClose={onClose}>
      {found.isError && (
        <FailureNotice
          title="Could not look for the data"
          error={found.error}
          onRetry={() => void found.refetch()}
          pending={found.isFetching}
        />
      )}
      {found.isPending && <p role="status">Looking for what is kept under {email}…</p>}
      {found.data && (
        <>
          <p>Under {email} the site keeps:</p>
          <ul className="suspicions">
            {listOf(found.data).map((entry) => (
              <li key={entry}>{entry}</li>
            ))}
          </ul>
          {found.data.held.length > 0 && (
            <Notice title="An application is kept on purpose">
              <p>
                Somebody put a hold on {found.data.held.join(', ')}. Read the reason in the application before you erase
                it: a legal claim may need it.
              </p>
            </Notice>
          )}
          <p>
            All of it is erased for good, with its mails and notes. Mail that was already sent, and what you saved
            elsewhere, is not.
          </p>
          <div className="inquiry-actions">
            <Button onClick={onClose}>Cancel</Button>
            <DownloadButton
              fresh
              href={`${apiPaths.personalDataCopy}?email=${encodeURIComponent(email)}`}
              failure="Could not save a copy"
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
              Erase for good
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
    ...(waiting > 0 ? [count(waiting, 'unfinished form', 'unfinished forms')] : []),
  ];
}
