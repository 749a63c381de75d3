import { apiPaths } from '../../domain/api-paths.ts';
import type { ApplicationRecord } from '../../domain/application.ts';
import { sizeText } from '../../domain/file-size.ts';
import { DownloadButton } from '../ui/DownloadButton.tsx';

/** The resume's file name, type and size, and a download button. */
export function ResumeRow({ application }: { application: ApplicationRecord }) {
  const { name, kind, size } = application.resume;
  return (
    <div>
      <dt>Resume</dt>
      <dd className="resume-row">
        <span>
          {name} <span className="delivery-time">{`${kind.toUpperCase()}, ${sizeText(size)}`}</span>
        </span>
        <DownloadButton href={apiPaths.applications.resume(application.id)} failure="Couldn’t download the resume">
          Download
        </DownloadButton>
      </dd>
    </div>
  );
}
