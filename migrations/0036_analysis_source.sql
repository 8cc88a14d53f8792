-- Who says what stands in analytics and extracted_details, the rules or a language model: JSON (payloads/conversation.ts).
ALTER TABLE call_results ADD COLUMN analysis_source TEXT;
