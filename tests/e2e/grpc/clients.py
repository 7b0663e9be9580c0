"""Claims of a gRPC client in Python: a line `ok TEXT` or `BROKEN TEXT` for each.

Its messages come from the descriptors in the file DESCRIPTORS. PORT, TLS_PORT and CERTIFICATES come
from the environment as well.
"""
import os
import time

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

pool = descriptor_pool.DescriptorPool()
with open(os.environ["DESCRIPTORS"], "rb") as file:
    for one in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        pool.Add(one)


def message(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


Request = message("envoy.service.ratelimit.v3.RateLimitRequest")
Response = message("envoy.service.ratelimit.v3.RateLimitResponse")
Descriptor = message("envoy.extensions.common.ratelimit.v3.RateLimitDescriptor")
UInt64Value = message("google.protobuf.UInt64Value")
HealthRequest = message("grpc.health.v1.HealthCheckRequest")
HealthResponse = message("grpc.health.v1.HealthCheckResponse")
ReflectionRequest = message("grpc.reflection.v1.ServerReflectionRequest")
ReflectionResponse = message("grpc.reflection.v1.ServerReflectionResponse")


def rate_limit(channel):
    return channel.unary_unary(
        "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
        request_serializer=Request.SerializeToString,
        response_deserializer=Response.FromString,
    )


def claim(text, holds, seen=""):
    print("ok" if holds else "BROKEN", text, "" if holds else f"(saw {seen})", flush=True)


def descriptor(*entries, **more):
    return Descriptor(
        entries=[Descriptor.Entry(key=key, value=value) for key, value in entries], **more
    )


def ask(stub, *descriptors, domain="shop", **options):
    request = Request(domain=domain, descriptors=descriptors, **options.pop("fields", {}))
    return stub(request, **options)


def code_of(call):
    try:
        call()
        return grpc.StatusCode.OK
    except grpc.RpcError as error:
        return error.code()


def limits(stub):
    codes = [ask(stub, descriptor(("user", "a"))).overall_code for _ in range(4)]
    claim("three of four pass", codes == [1, 1, 1, 2], codes)
    answer = ask(stub, descriptor(("user", "b")), descriptor(("none", "")), descriptor(("inside", "")))
    claim("a status for each descriptor, in order", len(answer.statuses) == 3, answer)
    claim("a limit met", answer.statuses[0].current_limit.unit == Response.RateLimit.MINUTE, answer)
    claim("none met", not answer.statuses[1].HasField("current_limit"), answer)
    claim("unlimited", answer.statuses[2].limit_remaining == 2**32 - 1, answer)
    only_looks = descriptor(("user", "c"), hits_addend=UInt64Value(value=0))
    looks = [ask(stub, only_looks).statuses[0].limit_remaining for _ in range(3)]
    claim("hits_addend 0 of a descriptor only looks", looks == [3, 3, 3], looks)
    three = ask(stub, descriptor(("user", "c")), fields={"hits_addend": 3})
    claim("hits_addend of the request takes so many", three.statuses[0].limit_remaining == 0, three)


def overrides(stub):
    def brought(requests, unit):
        limit = Descriptor.RateLimitOverride(requests_per_unit=requests, unit=unit)
        return descriptor(("anything", "x"), limit=limit)

    codes = [ask(stub, brought(2, "HOUR")).overall_code for _ in range(3)]
    claim("a limit that the request brings", codes == [1, 1, 2], codes)
    claim("0 requests deny all", ask(stub, brought(0, "DAY")).overall_code == 2)
    code = code_of(lambda: ask(stub, brought(2, "UNKNOWN")))
    claim("without a unit: INVALID_ARGUMENT", code == grpc.StatusCode.INVALID_ARGUMENT, code)
    code = code_of(lambda: ask(stub, domain=""))
    claim("without a domain: INVALID_ARGUMENT", code == grpc.StatusCode.INVALID_ARGUMENT, code)
    code = code_of(lambda: ask(stub))
    claim("without descriptors: INVALID_ARGUMENT", code == grpc.StatusCode.INVALID_ARGUMENT, code)


def transport(stub):
    zipped = ask(stub, descriptor(("user", "gzip")), compression=grpc.Compression.Gzip)
    claim("a request in gzip", zipped.overall_code == 1, zipped)
    code = code_of(
        lambda: ask(stub, descriptor(("user", "z")), compression=grpc.Compression.Deflate)
    )
    claim("one in deflate: UNIMPLEMENTED", code == grpc.StatusCode.UNIMPLEMENTED, code)
    code = code_of(lambda: ask(stub, descriptor(("user", "x" * 100_000))))
    claim("too long: RESOURCE_EXHAUSTED", code == grpc.StatusCode.RESOURCE_EXHAUSTED, code)
    answer = ask(stub, descriptor(("user", "deadline")), timeout=5)
    claim("with a deadline", answer.overall_code == 1, answer)


def many_at_once(stub):
    futures = [
        stub.future(Request(domain="shop", descriptors=[descriptor(("many", ""))]))
        for _ in range(2000)
    ]
    codes = [future.result().overall_code for future in futures]
    claim("of 2000 at once exactly 1500 pass", codes.count(1) == 1500, codes.count(1))


def keepalive(port):
    options = [
        ("grpc.keepalive_time_ms", 20),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
    ]
    with grpc.insecure_channel(f"127.0.0.1:{port}", options=options) as channel:
        stub = rate_limit(channel)
        ask(stub, descriptor(("user", "ping")))
        end = time.monotonic() + 1
        while time.monotonic() < end:
            ask(stub, descriptor(("ping", "")))
        claim("a client that pings all the time is left alone", ask(stub, descriptor(("ping", ""))))


def health(channel):
    def method(kind, name):
        return kind(
            "/grpc.health.v1.Health/" + name,
            request_serializer=HealthRequest.SerializeToString,
            response_deserializer=HealthResponse.FromString,
        )

    check = method(channel.unary_unary, "Check")
    for service in ("", "ratelimit"):
        answer = check(HealthRequest(service=service))
        claim(f'health of "{service}"', answer.status == HealthResponse.SERVING)
    code = code_of(lambda: check(HealthRequest(service="x")))
    claim("health of another: NOT_FOUND", code == grpc.StatusCode.NOT_FOUND, code)
    watch = method(channel.unary_stream, "Watch")(HealthRequest(service="ratelimit"))
    claim("health watched", next(watch).status == HealthResponse.SERVING)
    watch.cancel()


def reflection(channel):
    for version in ("v1", "v1alpha"):
        info = channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=ReflectionRequest.SerializeToString,
            response_deserializer=ReflectionResponse.FromString,
        )
        name = "envoy.service.ratelimit.v3.RateLimitService"
        requests = [
            ReflectionRequest(list_services=""),
            ReflectionRequest(file_containing_symbol=name),
        ]
        services, files = info(iter(requests))
        names = [service.name for service in services.list_services_response.service]
        claim(f"reflection {version} lists", name in names, names)
        names = [
            descriptor_pb2.FileDescriptorProto.FromString(file).name
            for file in files.file_descriptor_response.file_descriptor_proto
        ]
        claim(f"reflection {version} describes", "envoy/service/ratelimit/v3/rls.proto" in names)


def secure(port, folder):
    def read(name):
        with open(os.path.join(folder, name), "rb") as file:
            return file.read()

    own = grpc.ssl_channel_credentials(read("ca.pem"), read("client.key"), read("client.pem"))
    with grpc.secure_channel(f"localhost:{port}", own) as channel:
        stub = rate_limit(channel)
        claim("TLS with a client certificate", ask(stub, descriptor(("user", "tls"))).overall_code == 1)
    with grpc.secure_channel(
        f"localhost:{port}", grpc.ssl_channel_credentials(read("ca.pem"))
    ) as channel:
        stub = rate_limit(channel)
        code = code_of(lambda: ask(stub, descriptor(("user", "tls")), timeout=5))
        claim("TLS without one: UNAVAILABLE", code == grpc.StatusCode.UNAVAILABLE, code)


with grpc.insecure_channel(f"127.0.0.1:{os.environ['PORT']}") as plain:
    service = rate_limit(plain)
    limits(service)
    overrides(service)
    transport(service)
    many_at_once(service)
    health(plain)
    reflection(plain)
keepalive(os.environ["PORT"])
secure(os.environ["TLS_PORT"], os.environ["CERTIFICATES"])
