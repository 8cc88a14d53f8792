<?php
// A second verifier of proofs, after the description in the handbook (lawful-calls.md, Proof). It reads cases as JSON
// from standard input, and prints for each whether it is valid.
declare(strict_types=1);

final class Fault extends Exception {}

function canonical(mixed $value): string
{
    if ($value === null) return 'null';
    if (is_bool($value)) return $value ? 'true' : 'false';
    if (is_int($value)) {
        if (abs($value) > 9007199254740991) throw new Fault('number');
        return (string) $value;
    }
    if (is_string($value)) {
        if (preg_match('~\A[A-Za-z0-9 ?._:/+-]*\z~', $value) !== 1) throw new Fault('string');
        return '"' . $value . '"';
    }
    if (is_array($value)) return '[' . implode(',', array_map('canonical', $value)) . ']';
    if (!$value instanceof stdClass) throw new Fault('type');
    $members = get_object_vars($value);
    ksort($members, SORT_STRING);
    $parts = [];
    foreach ($members as $name => $each) {
        if (preg_match('~\A[a-z_]+\z~', (string) $name) !== 1) throw new Fault('name');
        $parts[] = '"' . $name . '":' . canonical($each);
    }
    return '{' . implode(',', $parts) . '}';
}

/** @return array{0: stdClass, 1: string} the signed object and its hash */
function signedObject(string $line, string $name, string $format, array $keys): array
{
    try {
        $envelope = json_decode($line, false, 32, JSON_THROW_ON_ERROR);
    } catch (JsonException) {
        throw new Fault('JSON');
    }
    if (canonical($envelope) !== $line || !$envelope instanceof stdClass) throw new Fault('form');
    if (array_keys(get_object_vars($envelope)) !== ['hash', $name, 'signature']) throw new Fault('members');
    $object = $envelope->$name;
    if (!$object instanceof stdClass || ($object->format ?? null) !== $format) throw new Fault('format');
    $text = canonical($object);
    $hash = hash('sha256', $text);
    if ($envelope->hash !== $hash) throw new Fault('hash');
    $signature = $envelope->signature;
    $key = $object->key ?? null;
    if (!is_string($signature) || preg_match('~\A[0-9a-f]{128}\z~', $signature) !== 1) throw new Fault('signature');
    if (!is_string($key) || preg_match('~\A[0-9a-f]{64}\z~', $key) !== 1) throw new Fault('key');
    if (!sodium_crypto_sign_verify_detached(hex2bin($signature), $text, hex2bin($key))) throw new Fault('signature');
    if (!in_array($key, $keys, true)) throw new Fault('key');
    return [$object, $hash];
}

function place(mixed $place): void
{
    if (!$place instanceof stdClass) throw new Fault('place');
    $sequence = $place->sequence ?? null;
    $previous = $place->previous ?? null;
    $isFirst = $sequence === 1;
    if (!is_int($sequence) || $sequence < 1) throw new Fault('sequence');
    if (!is_string($previous) || $isFirst !== ($previous === str_repeat('0', 64))) throw new Fault('previous');
}

function verify(array $lines, array $keys, ?string $headLine): void
{
    $head = $headLine === null ? null : signedObject($headLine, 'head', 'ringward-proof-head-1', $keys)[0];
    if ($head !== null) {
        if (!property_exists($head, 'organisation')) throw new Fault('head');
        if ($head->organisation !== null && !is_string($head->organisation)) throw new Fault('head');
        if (!is_int($head->sequence ?? null) || $head->sequence < 1) throw new Fault('head');
        if (!is_string($head->last ?? null)) throw new Fault('head');
    }
    $isHeadSeen = false;
    $last = null;
    $own = [];
    if ($lines === []) throw new Fault('empty');
    foreach ($lines as $line) {
        [$record, $hash] = signedObject($line, 'record', 'ringward-proof-1', $keys);
        place($record->chain ?? null);
        place($record->organisation ?? null);
        if (!is_string($record->organisation->id ?? null)) throw new Fault('organisation');
        $sequence = $record->chain->sequence;
        $id = $record->organisation->id;
        $ownSequence = $record->organisation->sequence;
        if ($last !== null) {
            if ($sequence <= $last[0]) throw new Fault('order');
            $isNext = $sequence === $last[0] + 1;
            if ($isNext && $record->chain->previous !== $last[1]) throw new Fault('chain');
            if (!$isNext && $head !== null && $head->organisation === null) throw new Fault('missing');
        }
        if (isset($own[$id])) {
            if ($ownSequence !== $own[$id][0] + 1) throw new Fault('missing');
            if ($record->organisation->previous !== $own[$id][1]) throw new Fault('own chain');
        }
        if ($head !== null) {
            $isNamed = $head->organisation === null
                ? $sequence === $head->sequence
                : $head->organisation === $id && $ownSequence === $head->sequence;
            if ($isNamed && $hash !== $head->last) throw new Fault('head');
            $isHeadSeen = $isHeadSeen || $isNamed;
        }
        $last = [$sequence, $hash];
        $own[$id] = [$ownSequence, $hash];
    }
    if ($head !== null && !$isHeadSeen) throw new Fault('cut off');
}

foreach (json_decode(stream_get_contents(STDIN), true, 64, JSON_THROW_ON_ERROR) as $case) {
    try {
        verify($case['lines'], $case['keys'], $case['head']);
        echo "valid\n";
    } catch (Fault) {
        echo "not valid\n";
    }
}
