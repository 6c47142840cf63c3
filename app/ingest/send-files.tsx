"use client";

import dynamic from "next/dynamic";
import { DropZone } from "./drop-zone";
import { UnfinishedUploads } from "./unfinished-uploads";
import { useUploads } from "./use-uploads";

const UploadList = dynamic(() => import("./upload-list").then((module) => module.UploadList), { ssr: false });

/** Where files are dropped, those on their way, and those that did not get through. */
export function SendFiles() {
  const { state } = useUploads();
  return (
    <>
      <DropZone />
      {state.uploads.length > 0 && <UploadList />}
      <UnfinishedUploads />
    </>
  );
}
