import type { Metadata } from "next";
import { safeNext } from "./safe-next";
import { SignInForm } from "./sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  return <SignInForm next={safeNext((await searchParams).next)} />;
}
