/* SPDX-License-Identifier: MIT */
/*
 * The engines are compiled once per host level (x86-64-v2, v3, v4; other hosts
 * once).  Every function that crosses files among them is renamed here, so
 * that each level has its own set.  SGD_ARCH is v2, v3 or v4.
 */
#ifndef SGD_ARCH_H
#define SGD_ARCH_H

#define SGD_PASTE_(a, b) a##_##b
#define SGD_PASTE(a, b) SGD_PASTE_(a, b)
#define SGD_FN(name) SGD_PASTE(name, SGD_ARCH)

#define sgd_arch_ops_this    SGD_FN(sgd_arch_ops)
#define sgd_front_run        SGD_FN(sgd_front_run)
#define sgd_raster_run       SGD_FN(sgd_raster_run)
#define sgd_xfer_run         SGD_FN(sgd_xfer_run)
#define sgd_tile_expand      SGD_FN(sgd_tile_expand)
#define sgd_tile_overwrite   SGD_FN(sgd_tile_overwrite)
#define sgd_shader_begin     SGD_FN(sgd_shader_begin)
#define sgd_shader_run       SGD_FN(sgd_shader_run)
#define sgd_texture_op       SGD_FN(sgd_texture_op)
#define sgd_zs_test          SGD_FN(sgd_zs_test)
#define sgd_color_write      SGD_FN(sgd_color_write)

/* Before a loop: no iteration depends on another. */
#ifdef __clang__
#define SGD_IVDEP _Pragma("clang loop vectorize(assume_safety)")
#else
#define SGD_IVDEP _Pragma("GCC ivdep")
#endif

/* front */
#define sgd_front_reserve    SGD_FN(sgd_front_reserve)
/* ia */
#define sgd_ia_read          SGD_FN(sgd_ia_read)
#define sgd_ia_assemble      SGD_FN(sgd_ia_assemble)
#define sgd_ia_assemble_stage SGD_FN(sgd_ia_assemble_stage)
/* vertex */
#define sgd_vertex_fetch     SGD_FN(sgd_vertex_fetch)
#define sgd_vertex_stage     SGD_FN(sgd_vertex_stage)
/* outputs */
#define sgd_outputs_begin    SGD_FN(sgd_outputs_begin)
#define sgd_outputs_place    SGD_FN(sgd_outputs_place)
#define sgd_outputs_record   SGD_FN(sgd_outputs_record)
#define sgd_outputs_store    SGD_FN(sgd_outputs_store)
#define sgd_outputs_store_lanes SGD_FN(sgd_outputs_store_lanes)
/* geometry */
#define sgd_geometry_stage   SGD_FN(sgd_geometry_stage)
/* clip */
#define sgd_clip_begin       SGD_FN(sgd_clip_begin)
#define sgd_clip_face        SGD_FN(sgd_clip_face)
#define sgd_clip_line        SGD_FN(sgd_clip_line)
#define sgd_clip_move        SGD_FN(sgd_clip_move)
#define sgd_clip_point       SGD_FN(sgd_clip_point)
#define sgd_clip_polygon     SGD_FN(sgd_clip_polygon)
#define sgd_clip_segment     SGD_FN(sgd_clip_segment)
#define sgd_clip_triangle    SGD_FN(sgd_clip_triangle)
/* setup */
#define sgd_bin_begin        SGD_FN(sgd_bin_begin)
#define sgd_bin_prim         SGD_FN(sgd_bin_prim)
#define sgd_setup_begin      SGD_FN(sgd_setup_begin)
#define sgd_setup_line       SGD_FN(sgd_setup_line)
#define sgd_setup_count_stipple SGD_FN(sgd_setup_count_stipple)
#define sgd_setup_line_values SGD_FN(sgd_setup_line_values)
#define sgd_setup_line_rect      SGD_FN(sgd_setup_line_rect)
#define sgd_setup_line_rect_skip SGD_FN(sgd_setup_line_rect_skip)
#define sgd_setup_line_skip  SGD_FN(sgd_setup_line_skip)
#define sgd_setup_offset     SGD_FN(sgd_setup_offset)
#define sgd_setup_point      SGD_FN(sgd_setup_point)
#define sgd_setup_polygon    SGD_FN(sgd_setup_polygon)
#define sgd_setup_prim       SGD_FN(sgd_setup_prim)
#define sgd_setup_triangle_values SGD_FN(sgd_setup_triangle_values)
#define sgd_setup_triangle   SGD_FN(sgd_setup_triangle)
#define sgd_varyings_init    SGD_FN(sgd_varyings_init)
/* xfb */
#define sgd_xfb_line      SGD_FN(sgd_xfb_line)
#define sgd_xfb_point     SGD_FN(sgd_xfb_point)
#define sgd_xfb_triangle  SGD_FN(sgd_xfb_triangle)
/* raster */
#define sgd_raster_block     SGD_FN(sgd_raster_block)
#define sgd_raster_flush     SGD_FN(sgd_raster_flush)
#define sgd_raster_line      SGD_FN(sgd_raster_line)
#define sgd_raster_multisample SGD_FN(sgd_raster_multisample)
#define sgd_raster_polygon   SGD_FN(sgd_raster_polygon)
#define sgd_raster_samples   SGD_FN(sgd_raster_samples)
#define sgd_raster_line_rect     SGD_FN(sgd_raster_line_rect)
#define sgd_raster_triangle  SGD_FN(sgd_raster_triangle)
#define sgd_zcull_begin      SGD_FN(sgd_zcull_begin)
#define sgd_zcull_end        SGD_FN(sgd_zcull_end)
#define sgd_zcull_rejects    SGD_FN(sgd_zcull_rejects)
/* pixel */
#define sgd_centroids        SGD_FN(sgd_centroids)
#define sgd_coverage         SGD_FN(sgd_coverage)
#define sgd_eval_plane       SGD_FN(sgd_eval_plane)
#define sgd_fragment_cover   SGD_FN(sgd_fragment_cover)
#define sgd_fragment_alpha_test SGD_FN(sgd_fragment_alpha_test)
#define sgd_interpolate      SGD_FN(sgd_interpolate)
#define sgd_lane_positions   SGD_FN(sgd_lane_positions)
#define sgd_lane_window      SGD_FN(sgd_lane_window)
#define sgd_pixel_clamp_depth SGD_FN(sgd_pixel_clamp_depth)
#define sgd_pixel_clamp_depths SGD_FN(sgd_pixel_clamp_depths)
#define sgd_pixel_begin      SGD_FN(sgd_pixel_begin)
#define sgd_pixel_depth      SGD_FN(sgd_pixel_depth)
#define sgd_pixel_run        SGD_FN(sgd_pixel_run)
#define sgd_pixel_run_samples SGD_FN(sgd_pixel_run_samples)
#define sgd_pixel_sysvals    SGD_FN(sgd_pixel_sysvals)
#define sgd_pixel_positions  SGD_FN(sgd_pixel_positions)
#define sgd_interpolate_place SGD_FN(sgd_interpolate_place)
#define sgd_interpolate_input SGD_FN(sgd_interpolate_input)
#define sgd_centroids_of_samples SGD_FN(sgd_centroids_of_samples)
#define sgd_pixel_program    SGD_FN(sgd_pixel_program)
#define sgd_fragment_to_coverage SGD_FN(sgd_fragment_to_coverage)

#endif
