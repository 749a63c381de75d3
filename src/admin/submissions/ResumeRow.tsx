import { apiPaths } from '../../domain/api-paths.ts';
import type { ApplicationRecord } from '../../domain/application.ts';
import { sizeText } from '../../domain/file-size.ts';
import { DownloadButton } from '../ui/DownloadButton.tsx';
import { Fact } from '../ui/Fact.tsx';

/** The resume's file name, type and size, and a download button. */
export function ResumeRow({ application }: { application: ApplicationRecord }) {
  const { name, kind, size } = application.resume;
  return (
    <Fact label="Resume">
      <div className="flex flex-1 flex-wrap items-center justify-between gap-2">
        <span className="min-w-0">
          {name} <span className="text-ink-soft">{`${kind.toUpperCase()}, ${sizeText(size)}`}</span>
        </span>
        <DownloadButton href={apiPaths.applications.resume(application.id)} failure="Couldn’t download the resume">
          Download
        </DownloadButton>
      </div>
    </Fact>
  );
}
